import { areSameSet, compareParts, compareSurnameParts, type NameResult } from "./compare-parts.ts";
import { joined, partsOf } from "./name-parts.ts";

/** A name in its fields. A source that does not part it gives the whole name as one of them. */
export type PersonName = { readonly lastName?: string | undefined; readonly firstName?: string | undefined };

export type NameResults = { readonly lastName: NameResult; readonly firstName: NameResult };

/** Compares surnames: the surnames of birth, or surnames with the name of a husband. */
export const compareSurnames = (a: string, b: string): NameResult =>
  compareSurnameParts(partsOf(a), partsOf(b));

/** Compares given names, or the whole name of a relative. */
export const compareGivenNames = (a: string, b: string): NameResult => compareParts(partsOf(a), partsOf(b));

type Order = "given-first" | "surnames-first";

/**
 * Compares two names field by field. Sources disagree on where surnames end and on the order of fields: where
 * the whole names have the same parts, no field differs. A name that is not parted is compared with both
 * fields of the other.
 */
export const comparePersonNames = (a: PersonName, b: PersonName, order: Order): NameResults => {
  const [left, right] = [fieldsOf(a), fieldsOf(b)];
  if (hasEmptyField(a) || hasEmptyField(b)) return compareFields(left, right);
  if (isParted(left) && isParted(right)) return compareParted(left, right);
  if (isParted(right)) return compareUnparted(wholeOf(left, order), right, order);
  if (isParted(left)) return compareUnparted(wholeOf(right, order), left, order);
  const whole = compareParts(wholeOf(left, order), wholeOf(right, order));
  return { lastName: whole, firstName: whole };
};

type Fields = { readonly last: readonly string[]; readonly first: readonly string[] };

const fieldsOf = ({ lastName = "", firstName = "" }: PersonName): Fields => ({
  last: partsOf(lastName),
  first: partsOf(firstName),
});

/** A field that is given and has no letter can be compared with nothing. */
const hasEmptyField = ({ lastName, firstName }: PersonName): boolean =>
  [lastName, firstName].some((text) => text !== undefined && partsOf(text).length === 0);

const isParted = ({ last, first }: Fields): boolean => last.length > 0 && first.length > 0;

const wholeOf = ({ last, first }: Fields, order: Order): readonly string[] =>
  order === "given-first" ? [...first, ...last] : [...last, ...first];

const compareFields = (a: Fields, b: Fields): NameResults => ({
  lastName: compareSurnameParts(a.last, b.last),
  firstName: compareParts(a.first, b.first),
});

const atLeastSimilar = (result: NameResult): NameResult => (result === "different" ? "similar" : result);

const compareParted = (a: Fields, b: Fields): NameResults => {
  const results = compareFields(a, b);
  const [whole, other] = [wholeOf(a, "given-first"), wholeOf(b, "given-first")];
  const hasSameParts =
    areSameSet(whole, other) ||
    joined(whole) === joined(other) ||
    joined(wholeOf(a, "surnames-first")) === joined(wholeOf(b, "surnames-first"));
  return hasSameParts
    ? { lastName: atLeastSimilar(results.lastName), firstName: atLeastSimilar(results.firstName) }
    : results;
};

const weights = { agrees: 0, similar: 1, notComparable: 2, different: 3 } as const;

const weightOf = ({ lastName, firstName }: NameResults): number => weights[lastName] + weights[firstName];

/**
 * The best of all ways to part a whole name. Only the order of the country agrees; the other one is similar.
 */
const compareUnparted = (whole: readonly string[], parted: Fields, order: Order): NameResults => {
  const none: NameResults = { lastName: "different", firstName: "different" };
  if (whole.length === 0) return { lastName: "notComparable", firstName: "notComparable" };
  const ways = whole.slice(1).flatMap((_, i) => {
    const [head, tail] = [whole.slice(0, i + 1), whole.slice(i + 1)];
    const [usual, other] =
      order === "given-first"
        ? [
            { first: head, last: tail },
            { first: tail, last: head },
          ]
        : [
            { last: head, first: tail },
            { last: tail, first: head },
          ];
    return [compareFields(usual, parted), asOtherOrder(compareFields(other, parted))];
  });
  const [best = none] = [...ways, atMostSimilar(whole, parted, order)].toSorted(
    (one, next) => weightOf(one) - weightOf(next),
  );
  return best;
};

/** The whole name has the same parts, in whatever order or joined by a reader. */
const atMostSimilar = (whole: readonly string[], parted: Fields, order: Order): NameResults => {
  const other = wholeOf(parted, order);
  const result =
    joined(whole) === joined(other) ? "agrees" : areSameSet(whole, other) ? "similar" : "different";
  return { lastName: result, firstName: result };
};

const atMost = (result: NameResult): NameResult => (result === "agrees" ? "similar" : result);

const asOtherOrder = ({ lastName, firstName }: NameResults): NameResults => {
  return { lastName: atMost(lastName), firstName: atMost(firstName) };
};
