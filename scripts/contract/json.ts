export type JsonObject = { readonly [key: string]: unknown };

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The member of nested objects and lists at these keys; undefined where one is absent. */
export const memberOf = (value: unknown, ...keys: readonly string[]): unknown =>
  keys.reduce<unknown>((at, key) => {
    if (Array.isArray(at)) return at[Number(key)];
    return isObject(at) && Object.hasOwn(at, key) ? at[key] : undefined;
  }, value);

/** The texts of a list; empty for anything else. */
export const textsOf = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((item): item is string => typeof item === "string") : [];
