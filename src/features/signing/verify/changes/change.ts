import type { FieldRule } from "../file/find-signatures.ts";

/**
 * A kind of change after a signature, from the least to the greatest: certificates, OCSP answers and CRLs; a
 * document time-stamp; a further signature; metadata; filled fields; annotations; files attached by a further
 * signature; everything else.
 */
export const changeKinds = [
  "validation_data",
  "timestamp",
  "metadata",
  "signature",
  "form_filling",
  "annotation",
  "attachment",
  "content",
] as const;

export type ChangeKind = (typeof changeKinds)[number];

/** One change between two states of a file. */
export type Change = {
  readonly kind: ChangeKind;
  /** What changed, for a reader: the page, field or entry. */
  readonly what: string;
  /** The full name of the field, where one was filled or signed. */
  readonly field?: string;
};

/** What a signature allows afterwards. */
export type Permission = {
  readonly certification: 1 | 2 | 3 | undefined;
  readonly rules: readonly FieldRule[];
};

/** What a change means for a signature. `doubtful`: allowed by no rule of the file, and refused by none. */
export type ChangeJudgement = "allowed" | "doubtful" | "forbidden";

/** ISO 32000-2, table 257; without a certification: forms, and annotations in doubt. */
const greatest: Readonly<Record<1 | 2 | 3, ChangeKind>> = {
  1: "metadata",
  2: "form_filling",
  3: "annotation",
};

/** Whether a rule locks this field (ISO 32000-2, table 258). A parent's name locks the fields below. */
const isLocked = ({ action, fields }: FieldRule, field: string): boolean => {
  const isNamed = fields.some((name) => name === field || field.startsWith(`${name}.`));
  return action === "All" || (action === "Include" ? isNamed : !isNamed);
};

/** The names of the rules, each of which a change may be compared with. */
export const countNames = (rules: readonly FieldRule[]): number =>
  rules.reduce((sum, { fields }) => sum + fields.length, 0);

/**
 * Judges a change after a signature by its own permissions (DocMDP) and locks (FieldMDP, Lock). New
 * validation data and document time-stamps are always allowed (ISO 32000-2, 12.8.2.2.2, table 257, note).
 * Changed content never is.
 */
export const judgeChange = (
  { kind, field }: Change,
  { certification, rules }: Permission,
): ChangeJudgement => {
  if (kind === "content") return "forbidden";
  if (kind === "form_filling" && field !== undefined && rules.some((rule) => isLocked(rule, field))) {
    return "forbidden";
  }
  if (certification === undefined) return kind === "annotation" ? "doubtful" : "allowed";
  return changeKinds.indexOf(kind) <= changeKinds.indexOf(greatest[certification]) ? "allowed" : "forbidden";
};
