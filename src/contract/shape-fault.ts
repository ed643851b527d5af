/** An error of TypeBox for a value that does not match its schema. */
export type ShapeError = {
  readonly keyword: string;
  readonly instancePath: string;
  readonly params: object;
  readonly message: string;
};

/** Longer lists of accepted values do not help. A document has thirty field names. */
const namedMax = 40;

const sentenceOf = ({ keyword, params, message }: ShapeError): string => {
  // A fault of `additionalProperties: false`, which is reported at the additional entry.
  if (keyword === "boolean") return "there is no such entry";
  if ("allowedValue" in params) return `must be ${String(params.allowedValue)}`;
  const allowed =
    "allowedValues" in params && Array.isArray(params.allowedValues) ? params.allowedValues : [];
  return allowed.length > 0 && allowed.length <= namedMax ? `must be one of ${allowed.join(", ")}` : message;
};

/**
 * The faults of an operator's file, one sentence for each wrong place. They repeat names from the file, so
 * use this only for the operator's own files, never for requests.
 */
export const shapeFaults = (errors: readonly ShapeError[]): readonly string[] => {
  const kept = errors.filter(({ keyword }) => keyword !== "additionalProperties");
  const faults = kept.map((error) => [error.instancePath || "/", sentenceOf(error)] as const);
  // A value of the wrong type violates every other keyword too: report only the first fault of a place.
  return [...Map.groupBy(faults, ([place]) => place)].map(([place, [first]]) => `${place}: ${first![1]}`);
};
