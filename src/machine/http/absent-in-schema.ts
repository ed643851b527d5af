type Schema = { readonly [keyword: string]: unknown };

const isSchema = (value: unknown): value is Schema =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const nothing: Schema = { type: "null" };

const emptyText: Schema = { type: "string", maxLength: 0 };

/** The name of the wider schema, where the schema has one (shared-schemas.ts). */
const widerName = ({ "x-name": name }: Schema): Schema =>
  typeof name === "string" ? { "x-name": `${name}OrNull` } : {};

const textOrAbsent = (schema: Schema): Schema => {
  const { description, examples, "x-name": _, ...rule } = schema;
  const { minLength, ...loose } = schema;
  if (Array.isArray(schema["enum"])) {
    return { ...schema, type: ["string", "null"], enum: [...new Set([...schema["enum"], "", null])] };
  }
  const isBounded = schema["pattern"] !== undefined || Number(minLength ?? 0) > 1;
  if (!isBounded) return { ...loose, type: ["string", "null"] };
  const about = { description, ...(examples !== undefined && { examples }) };
  return { ...about, anyOf: [rule, emptyText, nothing] };
};

const orAbsent = (schema: Schema): Schema => {
  const { type, anyOf } = schema;
  const name = widerName(schema);
  if (Array.isArray(anyOf)) return { ...schema, ...name, anyOf: [...anyOf, nothing] };
  if (type === "string") return { ...textOrAbsent(schema), ...name };
  return typeof type === "string" ? { ...acceptingAbsent(schema), ...name, type: [type, "null"] } : schema;
};

/**
 * The schema of an object as a caller may send it: each optional property may be null, and an optional text
 * may be empty, at every depth (contract/known-fields.ts).
 */
export const acceptingAbsent = (schema: Schema): Schema => {
  const { properties, required } = schema;
  if (!isSchema(properties)) return schema;
  const isRequired = (name: string): boolean => Array.isArray(required) && required.includes(name);
  const changed = Object.entries(properties).map(([name, property]) => {
    if (!isSchema(property)) return [name, property];
    return [name, isRequired(name) ? acceptingAbsent(property) : orAbsent(property)];
  });
  return { ...schema, properties: Object.fromEntries(changed) };
};
