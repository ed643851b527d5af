/** Values of a stored result, each read as what the interface knows: another value is as none. */

export type Group = { readonly [name: string]: unknown };

const isGroup = (value: unknown): value is Group =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const groupIn = (group: Group, name: string): Group | undefined => {
  const value = group[name];
  return isGroup(value) ? value : undefined;
};

export const listIn = (group: Group, name: string): readonly unknown[] => {
  const value = group[name];
  return Array.isArray(value) ? value : [];
};

export const numberIn = (group: Group, name: string): number | undefined => {
  const value = group[name];
  return typeof value === "number" ? value : undefined;
};

/** A random id: a UUID, which the service made. */
export const idIn = (group: Group, name: string): string | undefined => {
  const value = group[name];
  return typeof value === "string" && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/u.test(value)
    ? value
    : undefined;
};

export const memberOf = <const Member>(members: readonly Member[], value: unknown): Member | undefined =>
  members.find((member) => member === value);

export const memberIn = <const Member>(
  members: readonly Member[],
  group: Group,
  name: string,
): Member | undefined => memberOf(members, group[name]);

/** The first name of a number in a table of the interface. */
export const nameOf = (
  table: Readonly<Record<string, number>>,
  number: number | undefined,
): string | undefined => Object.keys(table).find((name) => table[name] === number);
