import type { AcceptedBreak } from "./accepted-breaks.ts";
import type { Break } from "./breaks.ts";

const isSame = (accepted: AcceptedBreak, one: Break): boolean =>
  accepted.kind === one.kind && accepted.operation === one.operation && accepted.place === one.place;

/** The breaks without an accepted entry, and the entries without a break. */
export const judgeBreaks = (breaks: readonly Break[], accepted: readonly AcceptedBreak[]) => ({
  refused: breaks.filter((one) => !accepted.some((entry) => isSame(entry, one))),
  stale: accepted.filter((entry) => !breaks.some((one) => isSame(entry, one))),
});

/** Orders versions such as 0.9.1 and 0.10.0 by their numbers. */
export const compareVersions = (one: string, other: string): number => {
  const numbers = [one, other].map((version) => version.split(".").map(Number));
  const [left = [], right = []] = numbers;
  const at = left.findIndex((number, index) => number !== right[index]);
  return at < 0 ? 0 : (left[at] ?? 0) - (right[at] ?? 0);
};
