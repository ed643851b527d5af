/** What TypeBox says of a value that has not the shape of its schema. */
export type ShapeError = {
  readonly keyword: string;
  readonly instancePath: string;
  readonly params: object;
  readonly message: string;
};

/** Longer lists of what may stand at a place help nobody. The names of a document's fields are thirty. */
const namedMax = 40;

const sentenceOf = ({ keyword, params, message }: ShapeError): string => {
  // `additionalProperties: false`, seen from the entry that is one too many.
  if (keyword === "boolean") return "there is no such entry";
  if ("allowedValue" in params) return `must be ${String(params.allowedValue)}`;
  const allowed =
    "allowedValues" in params && Array.isArray(params.allowedValues) ? params.allowedValues : [];
  return allowed.length > 0 && allowed.length <= namedMax ? `must be one of ${allowed.join(", ")}` : message;
};

/**
 * What keeps a file of the operator from having its shape, a sentence for each place that is wrong. Places are named as they
 * stand there, so that this is for the operator's own files alone and for no request.
 */
export const shapeFaults = (errors: readonly ShapeError[]): readonly string[] => {
  const told = errors.filter(({ keyword }) => keyword !== "additionalProperties");
  const faults = told.map((error) => [error.instancePath || "/", sentenceOf(error)] as const);
  // A value of the wrong type breaks every other keyword too: the first sentence of a place says enough.
  return [...Map.groupBy(faults, ([place]) => place)].map(([place, [first]]) => `${place}: ${first![1]}`);
};
