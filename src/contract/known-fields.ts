import { EncodedBytes } from "./base64.ts";
import { type RequestFault, wrong } from "./request.ts";

type Keywords = { readonly [keyword: string]: unknown };

const isObject = (value: unknown): value is Keywords =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/**
 * Whether a long text stays decoded: an image or token in Base64, or a tracking token, which may be any text.
 */
const isEncodedField = (schema: Keywords): boolean =>
  schema["contentEncoding"] === "base64" || schema["x-bytes"] !== undefined;

/** The limit of a list that has more items; undefined for any other. */
const exceededLimit = ({ maxItems }: Keywords, value: readonly unknown[]): number | undefined =>
  typeof maxItems === "number" && value.length > maxItems ? maxItems : undefined;

const takesText = (schema: unknown): boolean =>
  isObject(schema) &&
  (schema["type"] === "string" || (Array.isArray(schema["anyOf"]) && schema["anyOf"].some(takesText)));

/**
 * Whether a field counts as left out. Clients of typed languages send null for a value that is not set, and
 * form libraries send an empty text. An empty text in a required field is a value, which its schema and
 * handler judge.
 */
const isAbsent = ({ required }: Keywords, name: string, property: unknown, value: unknown): boolean =>
  value === null ||
  (value === "" && takesText(property) && !(Array.isArray(required) && required.includes(name)));

/**
 * Applies `change` to each known field that is not absent, or to each item of a list within its limit.
 */
const mapParts = (
  schema: Keywords,
  value: unknown,
  change: (schema: unknown, part: unknown) => unknown,
): unknown => {
  const { properties, items } = schema;
  if (Array.isArray(value)) {
    return isObject(items) && exceededLimit(schema, value) === undefined
      ? value.map((item) => change(items, item))
      : value;
  }
  if (!isObject(properties) || !isObject(value)) return value;
  const known: Record<string, unknown> = {};
  for (const [name, property] of Object.entries(properties)) {
    if (!Object.hasOwn(value, name) || isAbsent(schema, name, property, value[name])) continue;
    known[name] = change(property, value[name]);
  }
  return known;
};

/**
 * The body with only the fields of the schema, so that nothing else (`__proto__`, `constructor`, fields of a
 * newer client) reaches a handler. A field that is null is left out, and an optional text or choice that is
 * empty too, at every depth. Values of a wrong type stay for the schema's check. A long text stays
 * decoded in a Base64 field alone; any other field gets its first characters, which are more than any
 * `maxLength` of a route.
 */
export const knownFields = (schema: unknown, value: unknown): unknown => {
  if (!isObject(schema)) return value;
  if (value instanceof EncodedBytes) return isEncodedField(schema) ? value : value.head;
  return mapParts(schema, value, knownFields);
};

/**
 * The faults of lists with too many items. They are judged before any item: the schema's check visits every
 * item, and its search for faults goes on after the last fault that it keeps.
 */
export const lengthFaults = (schema: unknown, value: unknown, field = ""): readonly RequestFault[] => {
  if (!isObject(schema)) return [];
  const { properties, items } = schema;
  if (Array.isArray(value)) {
    const limit = exceededLimit(schema, value);
    if (limit !== undefined) return [wrong(field, `must not have more than ${limit} items`)];
    return isObject(items) ? value.flatMap((item, at) => lengthFaults(items, item, `${field}.${at}`)) : [];
  }
  if (!isObject(properties) || !isObject(value)) return [];
  return Object.entries(properties).flatMap(([name, property]) =>
    lengthFaults(property, value[name], field === "" ? name : `${field}.${name}`),
  );
};

/**
 * The known fields as the schema's check takes them: an empty text stands for the bytes of a Base64 field,
 * whose schema asks for no more than a text, and an empty list for a list with too many items.
 */
export const withStandIns = (schema: unknown, value: unknown): unknown => {
  if (value instanceof EncodedBytes) return "";
  if (!isObject(schema)) return value;
  const isOverlong = Array.isArray(value) && exceededLimit(schema, value) !== undefined;
  return isOverlong ? [] : mapParts(schema, value, withStandIns);
};
