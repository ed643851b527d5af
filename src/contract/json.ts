/** Any JSON value; rows store such values as text. */
export type Json = string | number | boolean | null | readonly Json[] | JsonGroup;

/** A JSON object. */
export type JsonGroup = { readonly [key: string]: Json };

export const isGroup = (value: Json | undefined): value is JsonGroup =>
  typeof value === "object" && value !== null && !Array.isArray(value);
