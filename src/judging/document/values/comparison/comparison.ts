/**
 * Result of comparing two readings of one value. `truncated`: the shorter one can be a truncated or shortened
 * form of the longer one. `unsure`: they differ by no more than a usual reading error.
 */
export type Verdict = "same" | "truncated" | "unsure" | "differs";

/** From agreement to contradiction. */
const order = ["same", "truncated", "unsure", "differs"] as const satisfies readonly Verdict[];

/** The more serious of two verdicts. */
export const graverOf = (a: Verdict, b: Verdict): Verdict => (order.indexOf(a) >= order.indexOf(b) ? a : b);
