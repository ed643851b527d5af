import type { Json } from "./json.ts";

/**
 * JSON text with object keys in UTF-16 order and no spaces, so equal values have equal bytes. RFC 8785, 3.2,
 * but that it writes a lone surrogate as an escape. Throws on a number that JSON cannot carry, which would
 * read back as null.
 */
export const canonicalJson = (value: Json): string => {
  if (typeof value === "number" && !Number.isFinite(value)) {
    throw new Error("A number that is not finite has no form in JSON");
  }
  if (value === null || typeof value !== "object") {
    return JSON.stringify(value);
  }
  if (isList(value)) {
    return `[${value.map(canonicalJson).join(",")}]`;
  }
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${canonicalJson(member)}`).join(",")}}`;
};

// Array.isArray does not narrow readonly arrays.
const isList = (value: Json): value is readonly Json[] => Array.isArray(value);
