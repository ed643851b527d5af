/**
 * Reading of answers: a member that is absent or of another type is undefined, and never a fault of the page.
 */

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null && Object.hasOwn(value, name)
    ? new Map<string, unknown>(Object.entries(value)).get(name)
    : undefined;

/** The member at a path with dots. Members of lists have their position. */
export const valueAt = (value: unknown, path: string): unknown =>
  path.split(".").reduce<unknown>(memberOf, value);

export const textAt = (value: unknown, path: string): string | undefined => {
  const found = valueAt(value, path);
  return typeof found === "string" ? found : undefined;
};

export const numberAt = (value: unknown, path: string): number | undefined => {
  const found = valueAt(value, path);
  return typeof found === "number" ? found : undefined;
};

export const listAt = (value: unknown, path: string): readonly unknown[] => {
  const found = valueAt(value, path);
  return Array.isArray(found) ? found : [];
};

/** Names and values of an object; empty for any other value. */
export const fieldsAt = (value: unknown, path: string): readonly (readonly [string, unknown])[] => {
  const found = valueAt(value, path);
  return typeof found === "object" && found !== null && !Array.isArray(found) ? Object.entries(found) : [];
};

/** A JSON text as its value; undefined for any other text. */
export const readJsonText = (text: string | undefined): unknown => {
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
};
