import { canBeSame, joined, withoutHusband, withoutParticles } from "./name-parts.ts";

/** How two names compare. Both orders of the sides give the same result. */
export type NameResult = "agrees" | "similar" | "different" | "notComparable";

type Parts = readonly string[];

/** Whether both lists have the same parts, in any order. */
export const areSameSet = (a: Parts, b: Parts): boolean =>
  a.length === b.length && a.toSorted().join(" ") === b.toSorted().join(" ");

/** Whether each part of `a` can be another part of `b`; the longest, which say most, choose first. */
const canBePermutation = (a: Parts, b: Parts): boolean => {
  if (a.length !== b.length) return false;
  const left = [...b];
  return a
    .toSorted((one, other) => other.length - one.length)
    .every((part) => {
      const equal = left.indexOf(part);
      const at = equal >= 0 ? equal : left.findIndex((other) => canBeSame(part, other));
      if (at < 0) return false;
      left.splice(at, 1);
      return true;
    });
};

/**
 * Whether `short` is `long` without some further names: in order, and its first name is the first of the
 * other.
 */
const lacksFurther = (short: Parts, long: Parts): boolean => {
  let from = 0;
  for (const [i, part] of short.entries()) {
    const at = long.findIndex((other, j) => j >= from && canBeSame(part, other));
    if (at < 0 || (i === 0 && at > 0)) return false;
    from = at + 1;
  }
  return short.length > 0 && short.length < long.length;
};

/** Whether `short` is the beginning of `long`, its parts in another order or joined by a reader. */
const isBeginning = (short: Parts, long: Parts): boolean =>
  long.some((_, i) => {
    const beginning = long.slice(0, i);
    return i > 0 && (joined(beginning) === joined(short) || areSameSet(beginning, short));
  });

/**
 * Whether the names share a part that is written out, or that a reader joined: initials alone name no family.
 */
const shareWhole = (a: Parts, b: Parts): boolean =>
  a.some((part) => part.length > 1 && b.some((other) => other.length > 1 && canBeSame(part, other))) ||
  (Math.min(joined(a).length, joined(b).length) > 2 &&
    (joined(a).startsWith(joined(b)) || joined(b).startsWith(joined(a))));

const areSimilar = (a: Parts, b: Parts): boolean =>
  areSameSet(a, b) ||
  joined(a) === joined(b) ||
  canBePermutation(a, b) ||
  canBePermutation(b, a) ||
  lacksFurther(a, b) ||
  lacksFurther(b, a) ||
  isBeginning(a, b) ||
  isBeginning(b, a);

const agreeBarOne = (a: Parts, b: Parts): boolean =>
  areSimilar(a, b) || areSimilar(withoutParticles(a), withoutParticles(b));

/** Compares given names, or whole names. */
export const compareParts = (a: Parts, b: Parts): NameResult => {
  if (a.length === 0 || b.length === 0) return "notComparable";
  if (joined(a) === joined(b)) return "agrees";
  return agreeBarOne(a, b) ? "similar" : "different";
};

/** Compares surnames. One side may have the name of a husband, where the other has the surnames of birth. */
export const compareSurnameParts = (a: Parts, b: Parts): NameResult => {
  const result = compareParts(a, b);
  if (result === "similar")
    return shareWhole(withoutParticles(a), withoutParticles(b)) ? result : "different";
  if (result !== "different") return result;
  const [left, right] = [withoutHusband(a), withoutHusband(b)];
  // With two husbands nothing tells that the women are one.
  if (left !== undefined && right !== undefined) return "different";
  const isMarried =
    (left !== undefined && areOfOneFamily(left, b)) || (right !== undefined && areOfOneFamily(a, right));
  return isMarried ? "similar" : "different";
};

const areOfOneFamily = (a: Parts, b: Parts): boolean =>
  agreeBarOne(a, b) && shareWhole(withoutParticles(a), withoutParticles(b));
