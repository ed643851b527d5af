/**
 * How two readings of one value stand to each other. `truncated`: the shorter one can be the longer one cut or shortened.
 * `unsure`: they differ, but by no more than a reader's usual slip.
 */
export type Verdict = "same" | "truncated" | "unsure" | "differs";

/** From nothing to worry about to a contradiction. */
const order = ["same", "truncated", "unsure", "differs"] as const satisfies readonly Verdict[];

/** The graver of two verdicts. */
export const graverOf = (a: Verdict, b: Verdict): Verdict => (order.indexOf(a) >= order.indexOf(b) ? a : b);
