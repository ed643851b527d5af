/** Who has the last word on a reason. */
export type Decider = "this service" | "a person" | "a provider" | "nobody";

/**
 * A test that brings a decision with the code from drawn pictures: its file, from the project's root, and its title as written
 * there. `unpictured` says why no picture brings it.
 */
export type ReachingTest = {
  readonly file: string;
  readonly title: string;
  readonly unpictured?: string;
};

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
  /** Codes of the decisions that it brings as built in, the usual one first; empty where it is never given. */
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

/** The suite that draws, reads and decides; `testing/pictured-cases.ts` says what it draws for which code. */
export const fromPictures: ReachingTest = {
  file: "src/document/reasons/from-pictures.test.ts",
  title: "brings $code with $decision from $pictures",
};

const fromLists = "src/document/reasons/from-lists.test.ts";

/** A drawn passport beside lists of faces and numbers. */
export const withLists = (title: string): ReachingTest => ({ file: fromLists, title });

export const withReference = withLists(
  "compares the holder with the registered user, where the policy asks (120, 121, 122)",
);

export const sendAgain = "Ask for a new picture";
export const ask = "Let a person of yours look";
export const percent = (share: number): string => `${Math.round(share * 100)} %`;
