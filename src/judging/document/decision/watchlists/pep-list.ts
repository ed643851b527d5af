import { createHash } from "node:crypto";
import { type Static, Type } from "typebox";
import { makeCheck } from "#contract/make-check";
import { compareNameFields, compareNames } from "../../values/comparison/compare-names.ts";
import { graverOf, type Verdict } from "../../values/comparison/comparison.ts";
import { areSameLetters, partsOf, plainForm } from "../../values/comparison/letters.ts";

const listFile = Type.Object({
  format: Type.Literal("idem-pep-1"),
  /** The publisher of the list, and its date or number there. */
  source: Type.String({ minLength: 1, maxLength: 200 }),
  version: Type.String({ minLength: 1, maxLength: 100 }),
  importedAt: Type.String(),
  /** Surnames, given names, and the birth date as far as it is known: YYYY-MM-DD, YYYY, or null. */
  people: Type.Array(Type.Tuple([Type.String(), Type.String(), Type.Union([Type.String(), Type.Null()])]), {
    maxItems: 500_000,
  }),
  /** Each person's line in the imported file, from 1; absent in a list of an earlier release. */
  lines: Type.Optional(Type.Array(Type.Integer({ minimum: 1 }))),
});

export type PepFile = Static<typeof listFile>;

const check = makeCheck(listFile);

export type PepPerson = {
  readonly lastName: string;
  readonly firstName: string;
  /** YYYY-MM-DD; null where the document has none. */
  readonly dateOfBirth: string | null;
};

/** A list of politically exposed persons that can be searched. */
export type PepList = {
  readonly source: string;
  readonly version: string;
  /** SHA-256 of the file, lower-case hex. */
  readonly sha256: string;
  readonly size: number;
  /** Searches the list for entries that could be this person. */
  readonly findMatches: (person: PepPerson) => PepMatches;
};

export type PepMatches = {
  readonly count: number;
  /** Lines of the matches in the imported file, in its order; absent where the list has none. */
  readonly lines?: readonly number[];
};

/** Parses a list. Throws Error with the reason where the text is not such a list. */
export const readPepList = (text: string): PepList => {
  const file = parse(text);
  const { source, version, people, lines } = file;
  const places = indexOf(people);
  return {
    source,
    version,
    sha256: createHash("sha256").update(text).digest("hex"),
    size: people.length,
    findMatches: (person) => {
      const candidates = candidatesOf(places, people, person);
      const found = candidates.filter((place) => isMaybe(person, people[place]!)).toSorted((a, b) => a - b);
      return { count: found.length, ...(lines && { lines: found.map((place) => lines[place]!) }) };
    },
  };
};

const parse = (text: string): PepFile => {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Error("the file is not JSON");
  }
  if (!check.Check(value) || (value.lines ?? value.people).length !== value.people.length) {
    throw new Error("the file is not a list that `idem pep import` wrote");
  }
  // Earlier releases imported files of other encodings so. A search would never find such a name.
  const lost = value.people.filter(([last, first]) => `${last}${first}`.includes("\uFFFD")).length;
  if (lost > 0) {
    throw new Error(
      `${lost} of its names lost letters when it was imported. Save its source as UTF-8 and import it again with \`idem pep import\``,
    );
  }
  return value;
};

type Entry = PepFile["people"][number];

/** Index of the list: the entries that have each part of a name. */
const indexOf = (people: readonly Entry[]): ReadonlyMap<string, readonly number[]> => {
  const places = new Map<string, number[]>();
  for (const [place, [lastName, firstName]] of people.entries()) {
    for (const part of new Set(foldedParts(`${lastName} ${firstName}`))) {
      const known = places.get(part);
      if (known === undefined) places.set(part, [place]);
      else known.push(place);
    }
  }
  return places;
};

/**
 * The parts of a name without the differences between transliterations (AA, AE, OE, UE, SS, NXX …). This form
 * is coarser than a name: it only selects candidates for comparison.
 */
const foldedParts = (name: string): readonly string[] =>
  partsOf(name).map((part) =>
    plainForm(part)
      .replaceAll(/A[AE]/g, "A")
      .replaceAll(/([OU])E/g, "$1")
      .replaceAll(/XX|J/g, (form) => (form === "J" ? "I" : ""))
      .replaceAll(/(.)\1+/g, "$1"),
  );

/**
 * Entries that share two parts of the name, or its only one: thousands share a given name alone. With the
 * same full birth date one part is enough, because a misread character may have changed another.
 */
const candidatesOf = (
  places: ReadonlyMap<string, readonly number[]>,
  people: readonly Entry[],
  { lastName, firstName, dateOfBirth }: PepPerson,
): readonly number[] => {
  const parts = [...new Set(foldedParts(`${lastName} ${firstName}`))];
  const shared = new Map<number, number>();
  for (const place of parts.flatMap((part) => places.get(part) ?? [])) {
    shared.set(place, (shared.get(place) ?? 0) + 1);
  }
  const sharedMin = Math.min(2, parts.length);
  return [...shared]
    .filter(
      ([place, count]) => count >= sharedMin || (dateOfBirth !== null && people[place]![2] === dateOfBirth),
    )
    .map(([place]) => place);
};

/**
 * Whether an entry could be the person. Pure. The name is the same, shortened, or differs by a misread
 * character, and the birth date does not contradict. Diacritics, order and transliteration make no
 * difference. Without a birth date the full name must be the same: many people share names.
 */
const isMaybe = (person: PepPerson, [lastName, firstName, birth]: Entry): boolean => {
  const verdict =
    firstName === "" ? compareWhole(person, lastName) : compareNames(person, { lastName, firstName }).verdict;
  if (verdict === "differs") return false;
  if (birth === null || person.dateOfBirth === null) return verdict === "same";
  return birth.length === 4 ? person.dateOfBirth.startsWith(birth) : person.dateOfBirth === birth;
};

/**
 * Compares a name that the list does not split, in either order of surnames and given names. A name that has
 * all parts of the other, at least two, is its longer form.
 */
const compareWhole = ({ lastName, firstName }: PepPerson, name: string): Verdict => {
  const orders = [`${lastName} ${firstName}`, `${firstName} ${lastName}`];
  const verdicts = orders.map((order) => compareNameFields(order, name).verdict);
  const [own, listed] = [partsOf(`${lastName} ${firstName}`), partsOf(name)];
  const [short, long] = own.length <= listed.length ? [own, listed] : [listed, own];
  const isPartOf = short.length >= 2 && hasAll(long, short);
  const isOrder = isPartOf && short.length === long.length;
  return mildestOf([...verdicts, isOrder ? "same" : isPartOf ? "truncated" : "differs"]);
};

/** Whether `long` has each part of `short`, a repeated part as often. */
const hasAll = (long: readonly string[], short: readonly string[]): boolean => {
  const left = [...long];
  return short.every((part) => {
    const at = left.findIndex((other) => areSameLetters(part, other));
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  });
};

const mildestOf = (verdicts: readonly Verdict[]): Verdict =>
  verdicts.reduce((one, other) => (graverOf(one, other) === one ? other : one));
