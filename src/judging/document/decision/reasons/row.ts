/** The party that decides on a reason. */
export type Decider = "this service" | "a person" | "a provider" | "none";

/**
 * A test that reaches a decision with the code from drawn images: its file, from the project's root, and its
 * title. `whyNoImage` states why no image can cause it.
 */
export type ReachingTest = {
  readonly file: string;
  readonly title: string;
  readonly whyNoImage?: string;
};

/** The reason why this service never gives the code: the missing part, and why it is missing. */
export type Missing = {
  readonly kind: "provider" | "input" | "check";
  readonly why: string;
};

/** The guide to one reason code for integrators and operators. A table has a row for every code. */
export type ReasonRow = {
  readonly decidedBy: Decider;
  /** The sources of the finding. */
  readonly from: string;
  /** Codes of the decisions that it causes by default, the usual one first; empty where it is never given. */
  readonly decisions: readonly (9102 | 9103 | 9121)[];
  /** The condition, with its threshold where there is one. */
  readonly when: string;
  /** The next step of the recipient. */
  readonly next: string;
  /** Images, list or setting that reach it, and the test that does the same; or the missing part. */
  readonly reach: { readonly how: string; readonly test: ReachingTest } | { readonly missing: Missing };
};

/** A row of a reason that a check of this service gives. */
export const given = (
  row: Omit<ReasonRow, "reach" | "decidedBy"> & Partial<Pick<ReasonRow, "decidedBy">>,
  how: string,
  test: ReachingTest,
): ReasonRow => ({ decidedBy: "this service", ...row, reach: { how, test } });

/** A row of a reason that this service never gives itself, with the missing part. */
export const notGiven = (
  decidedBy: Decider,
  from: string,
  kind: Missing["kind"],
  why: string,
): ReasonRow => ({ decidedBy, from, decisions: [], when: "", next: "", reach: { missing: { kind, why } } });

/**
 * The tests that decide from readings of drawn images; `test/support/document/drawn-cases.ts` lists the
 * images of each code.
 */
export const fromImages: ReachingTest = {
  file: "test/support/document/describe-reasons.ts",
  title: "brings $code with $decision from $images",
};

const fromLists = "src/judging/document/decision/reasons/from-lists.engine.test.ts";

/** A test with a drawn passport and lists of faces and numbers. */
export const withLists = (title: string): ReachingTest => ({ file: fromLists, title });

/** The test with the registered user as reference. */
export const withReference = withLists(
  "compares the holder with the registered user, where the policy asks (120, 121, 122)",
);

export const sendAgain = "Ask for a new image";
export const ask = "Let a person of yours look";
export const percent = (share: number): string => `${Math.round(share * 100)} %`;
