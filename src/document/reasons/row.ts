/** Who has the last word on a reason. */
export type Decider = "this service" | "a person" | "a provider" | "nobody";

/** A test that brings a decision with the code: its file, from the project's root, and its title as written there. */
export type ReachingTest = { readonly file: string; readonly title: string };

/** Why no picture brings the code: what would have to be there, and why this service has it not. */
export type Missing = {
  readonly kind: "provider" | "input" | "check";
  readonly why: string;
};

/** What an integrator and an operator must know of one reason code; a table has one for every code. */
export type ReasonRow = {
  readonly decidedBy: Decider;
  /** What the finding rests on. */
  readonly from: string;
  /** Codes of the decisions with which it can stand, the usual one first; empty where it is never given. */
  readonly decisions: readonly (9102 | 9103 | 9121)[];
  /** When it is given, with the threshold where there is one. */
  readonly when: string;
  /** What whoever gets it does next. */
  readonly next: string;
  /** Pictures, list or setting with which an integrator sees it, and the test that does the same; or why nobody can. */
  readonly reach: { readonly how: string; readonly test: ReachingTest } | { readonly missing: Missing };
};

/** A row of a reason that a check of this service gives. */
export const given = (
  row: Omit<ReasonRow, "reach" | "decidedBy"> & Partial<Pick<ReasonRow, "decidedBy">>,
  how: string,
  test: ReachingTest,
): ReasonRow => ({ decidedBy: "this service", ...row, reach: { how, test } });

/** A row of a reason that this service never gives by itself, with what is missing for it. */
export const notGiven = (
  decidedBy: Decider,
  from: string,
  kind: Missing["kind"],
  why: string,
): ReasonRow => ({ decidedBy, from, decisions: [], when: "", next: "", reach: { missing: { kind, why } } });

const judging = "src/document/judge.test.ts";

/** A test of the decision from readings. */
export const judged = (title: string): ReachingTest => ({ file: judging, title });

export const sendAgain = "Ask for a new picture";
export const ask = "Let a person of yours look";
export const percent = (share: number): string => `${Math.round(share * 100)} %`;
