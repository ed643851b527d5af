/** JSON pointers (RFC 6901): `/persona/nombres`, `/lista/0`, and the empty text for the whole value. */

/** The form of a pointer. */
export const pointerPattern = "^(/([^~/]|~[01])*)*$";

const unescaped = (part: string): string => part.replaceAll("~1", "/").replaceAll("~0", "~");

/** An own member or an item; undefined for anything else, such as an inherited member or a wrong index. */
const memberOf = (value: unknown, name: string): unknown => {
  if (Array.isArray(value)) {
    const items: readonly unknown[] = value;
    return /^(0|[1-9]\d{0,5})$/.test(name) ? items[Number(name)] : undefined;
  }
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
  return new Map<string, unknown>(Object.entries(value)).get(name);
};

/** The value at a pointer; undefined where there is none. */
export const readPointer = (value: unknown, pointer: string): unknown =>
  pointer.split("/").slice(1).map(unescaped).reduce(memberOf, value);
