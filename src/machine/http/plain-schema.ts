import type { Json } from "#contract/json";

export type Schema = { readonly [keyword: string]: unknown };

/** Keywords that only this code reads. */
const ownKeywords = ["x-bytes", "x-code", "x-shape", "x-name"];

export const isSchema = (value: unknown): value is Schema =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The examples of an operation hold images. A schema does not repeat them. */
const isLeftOut = (schema: Schema, key: string): boolean =>
  ownKeywords.includes(key) || (key === "examples" && schema["contentEncoding"] === "base64");

/** The schema as plain JSON: without the library's marks and without our own keywords. */
export const plain = (value: unknown): Json => {
  if (Array.isArray(value)) return value.map(plain);
  if (isSchema(value)) {
    return Object.fromEntries(
      Object.entries(value)
        .filter(([key, part]) => !isLeftOut(value, key) && part !== undefined)
        .map(([key, part]) => [key, plain(part)]),
    );
  }
  const isPrimitive = typeof value === "string" || typeof value === "number" || typeof value === "boolean";
  return isPrimitive ? value : null;
};
