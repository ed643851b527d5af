import { isObject, type JsonObject, textsOf } from "./json.ts";

/** Keywords that are no bound of a value, and those that the lines show in another way. */
const unlisted = [
  "type",
  "anyOf",
  "enum",
  "const",
  "properties",
  "required",
  "items",
  "description",
  "examples",
];

/** A longer list of values has a line for each, so that a change of one is seen. */
const valuesInLineMax = 8;

/** The alternatives of a schema that are not null. */
const alternativesOf = ({ anyOf }: JsonObject): readonly JsonObject[] =>
  Array.isArray(anyOf) ? anyOf.filter(isObject).filter(({ type }) => type !== "null") : [];

const takesNull = ({ anyOf }: JsonObject): boolean =>
  Array.isArray(anyOf) && anyOf.some((one) => isObject(one) && one["type"] === "null");

const nameOf = (schema: JsonObject): string | undefined => {
  const name = schema["x-name"];
  return typeof name === "string" ? name : undefined;
};

/** The listed values of a schema as JSON; undefined where it lists none. */
const valuesOf = (schema: JsonObject): readonly string[] | undefined => {
  const values: unknown = schema["const"] === undefined ? schema["enum"] : [schema["const"]];
  return Array.isArray(values) ? values.map((value) => JSON.stringify(value)) : undefined;
};

const hasManyValues = (schema: JsonObject): boolean => (valuesOf(schema) ?? []).length > valuesInLineMax;

const typeOf = (schema: JsonObject): string => {
  const name = nameOf(schema);
  if (name !== undefined) return name;
  const values = hasManyValues(schema) ? ["one of"] : valuesOf(schema);
  const others = alternativesOf(schema).map(describe);
  const type = typeof schema["type"] === "string" ? schema["type"] : "any";
  const types = values ?? (others.length > 0 ? others : [type]);
  return [...types, ...(takesNull(schema) ? ["null"] : [])].join(" | ");
};

const boundsOf = (schema: JsonObject): readonly string[] =>
  Object.entries(schema)
    .filter(([keyword, value]) => !unlisted.includes(keyword) && !keyword.startsWith("x-") && value !== false)
    .map(([keyword, value]) => (value === true ? keyword : `${keyword}=${JSON.stringify(value)}`));

/** The type and the bounds of a value, such as `string maxLength=64`. */
const describe = (schema: JsonObject): string =>
  nameOf(schema) ?? [typeOf(schema), ...boundsOf(schema)].join(" ");

/** The lines of what a value holds or may be; none for a schema with a name, which has lines of its own. */
const partLines = (schema: JsonObject, place: string): readonly string[] => {
  const { properties, items } = schema;
  const values = hasManyValues(schema) ? valuesOf(schema) : undefined;
  const required = textsOf(schema["required"]);
  const fields = Object.entries(isObject(properties) ? properties : {}).flatMap(([name, field]) =>
    isObject(field) ? fieldLines(field, `${place}.${name}`, required.includes(name)) : [],
  );
  const ofItems = isObject(items) ? fieldLines(items, `${place}[]`, true) : [];
  const ofOthers = alternativesOf(schema).flatMap((one) => (nameOf(one) ? [] : partLines(one, place)));
  return [...(values ?? []).map((value) => `${place} = ${value}`), ...fields, ...ofItems, ...ofOthers];
};

/**
 * A line for the field and one for each field inside of it: its place with dots, `?` where it may be absent,
 * its type and its bounds. A schema with a name (`x-name`) ends the way down.
 */
export const fieldLines = (schema: JsonObject, place: string, isRequired: boolean): readonly string[] => [
  `${place}${isRequired ? "" : "?"}: ${describe(schema)}`,
  ...(nameOf(schema) === undefined ? partLines(schema, place) : []),
];

/** The lines of a schema with a name, which stand once. */
export const namedLines = (schema: JsonObject, name: string): readonly string[] => {
  const { "x-name": _, ...unnamed } = schema;
  return [`${name}: ${describe(unnamed)}`, ...partLines(unnamed, name)];
};

/** The schemas that have a name among the parts of a value, by their names. */
export const namedSchemas = (value: unknown): readonly (readonly [name: string, schema: JsonObject])[] => {
  if (Array.isArray(value)) return value.flatMap(namedSchemas);
  if (!isObject(value)) return [];
  const name = nameOf(value);
  const own = name === undefined ? [] : [[name, value] as const];
  return [...own, ...Object.values(value).flatMap(namedSchemas)];
};
