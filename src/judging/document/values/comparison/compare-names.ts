import { isWithinEdits } from "../edit-distance.ts";
import { differencesOf } from "../look-alikes.ts";
import { graverOf, type Verdict } from "./comparison.ts";
import { areSameLetters, begins, couldBeOneLetter, partsOf, plainForm } from "./letters.ts";

/** A name from one source: the VIZ, the MRZ, a barcode or a request. */
export type UserName = {
  readonly lastName: string;
  readonly firstName: string;
  /** The source's field was full to the last letter, or the source itself marks the truncation. */
  readonly mayBeTruncated?: boolean;
};

export type NameReason =
  /** Same letters, or transliterations that the standard allows. */
  | "equal"
  /** Same parts in another order, or split differently into surnames and given names. */
  | "order"
  /** Same, except for particles such as DE and LA. */
  | "particles"
  /** One name has fewer surnames or given names: the first ones of the other name. */
  | "fewer-parts"
  /** Each part begins a part of the other name, in a source that may have truncated them. */
  | "cut"
  /** One of the values is missing. */
  | "missing"
  /** Two possible spellings of one marked letter. */
  | "transliteration"
  /** Only characters differ that readers confuse. */
  | "look-alikes"
  /** One character of a part differs. */
  | "one-character"
  /** The names share some parts; others differ. */
  | "some-parts"
  /** The names share no part. */
  | "other-name";

/** `field`: the field that decided; absent when the whole name decided. */
export type NameComparison = {
  readonly verdict: Verdict;
  readonly reason: NameReason;
  readonly field?: "lastName" | "firstName" | "both";
};

type PartComparison = { readonly verdict: Verdict; readonly reason: NameReason };

const particles = new Set(
  "DE DEL LA LAS LO LOS EL Y E I DA DO DAS DOS DI DU D VAN VON VOM ZU DER DEN TEN TER AL BIN IBN SAN".split(
    " ",
  ),
);

const withoutParticles = (parts: readonly string[]): readonly string[] => {
  const kept = parts.filter((part) => !particles.has(plainForm(part)));
  return kept.length === 0 ? parts : kept;
};

const joined = (parts: readonly string[]): string => parts.join("");

const areSame = (a: readonly string[], b: readonly string[]): boolean => areSameLetters(joined(a), joined(b));

/** Whether two names have the same parts, in any order. */
const areSameSet = (a: readonly string[], b: readonly string[]): boolean => {
  const left = [...b];
  for (const part of a) {
    const at = left.findIndex((other) => areSameLetters(part, other));
    if (at < 0) {
      return false;
    }
    left.splice(at, 1);
  }
  return left.length === 0;
};

/**
 * Whether each part of `short` begins a part of `long`, in order, starting with the first part; parts may be
 * left out.
 */
const isCutOf = (short: readonly string[], long: readonly string[]): boolean => {
  let from = 0;
  for (const [i, part] of short.entries()) {
    const at = long.findIndex((other, j) => j >= from && begins(part, other));
    if (at < 0 || (i === 0 && at > 0)) {
      return false;
    }
    from = at + 1;
  }
  return short.length > 0;
};

const startsWith = (short: readonly string[], long: readonly string[]): boolean =>
  short.length > 0 && long.some((_, i) => i > 0 && areSame(short, long.slice(0, i)));

const isSlip = (a: string, b: string): NameReason | undefined => {
  const [left, right] = [plainForm(a), plainForm(b)];
  if (left.length === right.length && differencesOf(left, right).unexplained === 0) {
    return "look-alikes";
  }
  return Math.min(left.length, right.length) >= 4 && isWithinEdits(left, right, 1)
    ? "one-character"
    : undefined;
};

/** The reading error that explains the difference, part by part; undefined when something else differs. */
const slipOf = (a: readonly string[], b: readonly string[]): NameReason | undefined => {
  if (couldBeOneLetter(joined(a), joined(b))) {
    return "transliteration";
  }
  if (a.length !== b.length) {
    return isSlip(joined(a), joined(b));
  }
  const reasons = a.map((part, i) => (areSameLetters(part, b[i]!) ? "equal" : isSlip(part, b[i]!)));
  if (reasons.includes(undefined)) {
    return undefined;
  }
  return reasons.includes("one-character") ? "one-character" : "look-alikes";
};

const compareParts = (
  a: readonly string[],
  b: readonly string[],
  cut: { readonly a: boolean; readonly b: boolean },
): PartComparison => {
  if (a.length === 0 || b.length === 0) {
    return { verdict: "unsure", reason: "missing" };
  }
  if (areSame(a, b)) {
    return { verdict: "same", reason: "equal" };
  }
  if (areSameSet(a, b)) {
    return { verdict: "same", reason: "order" };
  }
  const [left, right] = [withoutParticles(a), withoutParticles(b)];
  if (areSame(left, right)) {
    return { verdict: "truncated", reason: "particles" };
  }
  if (startsWith(a, b) || startsWith(b, a) || startsWith(left, right) || startsWith(right, left)) {
    return { verdict: "truncated", reason: "fewer-parts" };
  }
  if ((cut.a && isCutOf(a, b)) || (cut.b && isCutOf(b, a))) {
    return { verdict: "truncated", reason: "cut" };
  }
  const slip = slipOf(a, b);
  if (slip !== undefined) {
    return { verdict: "unsure", reason: slip };
  }
  if (isCutOf(a, b) || isCutOf(b, a)) {
    return { verdict: "unsure", reason: "cut" };
  }
  const shares = left.some((part) => right.some((other) => areSameLetters(part, other)));
  return { verdict: "differs", reason: shares ? "some-parts" : "other-name" };
};

/** Compares one field of a name (the surnames or the given names) between two sources. */
export const compareNameFields = (
  a: string,
  b: string,
  cut: { readonly a: boolean; readonly b: boolean } = { a: false, b: false },
): PartComparison => compareParts(partsOf(a), partsOf(b), cut);

/** Whether both names have the same parts or letters, wherever the surnames end and whichever come first. */
const areSameWhole = (a: UserName, b: UserName): boolean => {
  const surnamesFirst = (name: UserName) => partsOf(`${name.lastName} ${name.firstName}`);
  const surnamesLast = (name: UserName) => partsOf(`${name.firstName} ${name.lastName}`);
  const [whole, other] = [surnamesFirst(a), surnamesFirst(b)];
  const isSame =
    areSameSet(whole, other) ||
    areSame(whole, other) ||
    areSame(surnamesLast(a), other) ||
    areSame(whole, surnamesLast(b));
  return whole.length > 0 && isSame;
};

/**
 * Compares two names. Marks, transliteration, joined parts and their order make no difference. One surname
 * instead of two, the first given name instead of all, missing particles and truncation by a full field give
 * `truncated`. Cards disagree on where surnames end, so the whole name is compared before its fields.
 */
export const compareNames = (a: UserName, b: UserName): NameComparison => {
  const cut = { a: a.mayBeTruncated === true, b: b.mayBeTruncated === true };
  const lastName = compareNameFields(a.lastName, b.lastName, cut);
  const firstName = compareNameFields(a.firstName, b.firstName, cut);
  const verdict = graverOf(lastName.verdict, firstName.verdict);
  if (verdict === "same" && lastName.reason === "equal" && firstName.reason === "equal") {
    return { verdict, reason: "equal" };
  }
  if (areSameWhole(a, b)) {
    return { verdict: "same", reason: "order" };
  }
  if (lastName.verdict === verdict && firstName.verdict === verdict) {
    const isOther = firstName.reason === "other-name" && lastName.reason === "other-name";
    return { verdict, reason: isOther ? "other-name" : lastName.reason, field: "both" };
  }
  return lastName.verdict === verdict
    ? { verdict, reason: lastName.reason, field: "lastName" }
    : { verdict, reason: firstName.reason, field: "firstName" };
};
