import type { TSchema } from "typebox";
import { Settings } from "typebox/system";
import { type ValidationCode, validationCode } from "./validation-code.ts";

/** One fault of a request. `field` is a path of schema names, never of names from the caller. */
export type RequestFault = {
  readonly field: string;
  readonly message: string;
  readonly code: ValidationCode;
};

/**
 * Most faults of one answer. Callers receive all wrong fields at once; the library's own limit is 8. The
 * limit also ends the judgement of a long array of wrong items.
 */
export const faultsMax = 64;
Settings.Set({ maxErrors: faultsMax });

type Keywords = { readonly [keyword: string]: unknown };

const isObject = (value: unknown): value is Keywords =>
  typeof value === "object" && value !== null && !Array.isArray(value);

type SchemaError = {
  readonly keyword: string;
  readonly instancePath: string;
  readonly params: object;
  readonly message: string;
};

/** A fault of a field that is absent. */
export const missing = (field: string, message = "is required"): RequestFault => ({
  field,
  message,
  code: validationCode.mandatoryMissing.code,
});

/** A fault of a field whose value is wrong. */
export const wrong = (
  field: string,
  message: string,
  code: ValidationCode = validationCode.parameterInvalid.code,
): RequestFault => ({ field, message, code });

const requiredNames = (params: object): readonly string[] =>
  "requiredProperties" in params && Array.isArray(params.requiredProperties)
    ? params.requiredProperties.map(String)
    : [];

const join = (parent: string, name: string): string => (parent === "" ? name : `${parent}.${name}`);

/** Turns the schema's errors into sentences for the caller. They name fields and rules, never values. */
export const explain = (schema: TSchema, errors: readonly SchemaError[]): readonly RequestFault[] =>
  onePerField(errors).flatMap((error) => {
    const field = error.instancePath.slice(1).replaceAll("/", ".");
    if (error.keyword === "required")
      return requiredNames(error.params).map((name) => missing(join(field, name)));
    const stated = schemaAt(schema, error.instancePath);
    return [wrong(field, sentence(error, stated), ownCode(stated))];
  });

/** A value of the wrong type violates every other keyword too: report only the first error of a field. */
const onePerField = (errors: readonly SchemaError[]): readonly SchemaError[] =>
  errors.filter(
    (error, at) =>
      error.keyword === "required" ||
      errors.findIndex(
        (other) => other.instancePath === error.instancePath && other.keyword !== "required",
      ) === at,
  );

const sentence = (error: SchemaError, stated: Keywords): string => {
  if (error.keyword === "type" && typeof stated["type"] === "string") {
    return `must be ${/^[aeio]/.test(stated["type"]) ? "an" : "a"} ${stated["type"]}`;
  }
  if (error.keyword === "enum" && Array.isArray(stated["enum"]))
    return `must be one of ${stated["enum"].map((value) => (value === "" ? "an empty text" : value)).join(", ")}`;
  if (error.keyword === "pattern" && typeof stated["x-shape"] === "string")
    return `must be ${stated["x-shape"]}`;
  if (error.keyword === "minItems" && stated["minItems"] === 1) return "must have at least one item";
  return error.message;
};

const ownCode = (stated: Keywords): ValidationCode => {
  const code = Object.values(validationCode).find((entry) => entry.code === stated["x-code"]);
  return code?.code ?? validationCode.parameterInvalid.code;
};

/** The part of the schema at an instance path such as `/tracking/extraData` or `/userIds/3`. */
const schemaAt = (schema: TSchema, instancePath: string): Keywords => {
  let at: unknown = schema;
  for (const part of instancePath.split("/").slice(1)) {
    if (!isObject(at)) return {};
    const properties = at["properties"];
    at = isObject(properties) ? properties[part] : at["items"];
  }
  return isObject(at) ? at : {};
};

/** Top-level fields of a body before any schema check. */
export type UncheckedFields = Readonly<Record<string, unknown>>;
