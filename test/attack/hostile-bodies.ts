/** A body that must cost the service little, and the answers that it may get. */
export type HostileBody = {
  readonly name: string;
  readonly method: "POST" | "DELETE";
  readonly path: string;
  readonly make: () => Buffer;
  readonly statuses: readonly number[];
  /**
   * The last byte is never sent. So many of the bodies may stay in flight: the budget of a key holds no more.
   */
  readonly inFlightMax?: number;
  /** Bodies that are sent at once. Default 1. */
  readonly atOnce?: number;
};

const users = { method: "DELETE", path: "/services/authenticateUser" } as const;
const liveness = { method: "POST", path: "/services/evaluatePassiveLiveness" } as const;
/** Takes two images, so its bodies may be as large as the operator allows. */
const identity = { method: "POST", path: "/onboarding/v2/identity" } as const;

const list = (item: string, count: number): Buffer =>
  Buffer.from(`{"userIds":[${`${item},`.repeat(count)}${item}]}`);

const unknownField = (value: string): Buffer => Buffer.from(`{"x":${value}}`);

const nested = (levels: number): string => "[".repeat(levels) + "]".repeat(levels);

/**
 * Bodies that ended or blocked a service without limits: long lists of wrong items, deep and wide structures,
 * costly spellings, and bodies that never end. Sizes are those of the default settings.
 */
export const hostileBodies: readonly HostileBody[] = [
  { name: "17 million numbers as users", ...users, make: () => list("1", 17_000_000), statuses: [413] },
  { name: "1 MB of numbers as users", ...users, make: () => list("1", 500_000), statuses: [400] },
  { name: "5 MB of good users", ...users, make: () => list('"user"', 700_000), statuses: [413] },
  { name: "1.5 MB of good users", ...users, make: () => list('"user"', 200_000), statuses: [400] },
  { name: "9,000 numbers as users", ...users, make: () => list("1", 9_000), statuses: [400] },
  { name: "36 MB of brackets", ...identity, make: () => unknownField(nested(18_000_000)), statuses: [400] },
  { name: "250 kB of brackets", ...liveness, make: () => unknownField(nested(125_000)), statuses: [400] },
  {
    name: "36 MB of empty lists",
    ...identity,
    make: () => unknownField(`[${"[],".repeat(12_000_000)}1]`),
    statuses: [400],
  },
  {
    name: "36 MB of escapes",
    ...identity,
    make: () => unknownField(`"${String.raw`\u0041`.repeat(6_000_000)}"`),
    statuses: [400],
  },
  {
    name: "18 MB of line breaks as an image",
    ...liveness,
    make: () => Buffer.from(`{"imageBuffer":"${String.raw`\n`.repeat(9_000_000)}"}`),
    statuses: [400],
  },
  {
    name: "36 MB of spaces",
    ...identity,
    make: () => unknownField(`${" ".repeat(36_000_000)}1`),
    statuses: [400],
  },
  {
    name: "40 bodies of 35 MB without an end",
    ...identity,
    make: () => Buffer.from(`{"token1":"${"A".repeat(35_000_000)}"}`),
    statuses: [503],
    inFlightMax: 7,
    atOnce: 40,
  },
];
