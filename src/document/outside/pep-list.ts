import { createHash } from "node:crypto";
import { type Static, Type } from "typebox";
import { Compile } from "typebox/compile";
import { compareNameFields, compareNames } from "../comparison/compare-names.ts";
import { graverOf, type Verdict } from "../comparison/comparison.ts";
import { areSameLetters, partsOf, plainForm } from "../comparison/letters.ts";

const listFile = Type.Object({
  format: Type.Literal("idem-pep-1"),
  /** Who made the list, and its date or number there. */
  source: Type.String({ minLength: 1, maxLength: 200 }),
  version: Type.String({ minLength: 1, maxLength: 100 }),
  importedAt: Type.String(),
  /** Surnames, given names, and the birth date as far as it is known: YYYY-MM-DD, YYYY, or null. */
  people: Type.Array(Type.Tuple([Type.String(), Type.String(), Type.Union([Type.String(), Type.Null()])]), {
    maxItems: 500_000,
  }),
  /** On which line of the imported file each of them stands, from 1; a list of an earlier release tells none. */
  lines: Type.Optional(Type.Array(Type.Integer({ minimum: 1 }))),
});

export type PepFile = Static<typeof listFile>;

const check = Compile(listFile);

export type PepPerson = {
  readonly lastName: string;
  readonly firstName: string;
  /** YYYY-MM-DD; null where the document does not tell. */
  readonly dateOfBirth: string | null;
};

/** A list of politically exposed persons, ready to be asked. */
export type PepList = {
  readonly source: string;
  readonly version: string;
  /** SHA-256 of the file, lower-case hex. */
  readonly sha256: string;
  readonly size: number;
  /** Who of the list could be this person. */
  readonly findMatches: (person: PepPerson) => PepMatches;
};

export type PepMatches = {
  readonly count: number;
  /** Where they stand in the imported file, in its order; absent where the list does not tell. */
  readonly lines?: readonly number[];
};

/** Throws Error with the reason where the text is no such list. */
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
    throw new Error("the file is no JSON");
  }
  if (!check.Check(value) || (value.lines ?? value.people).length !== value.people.length) {
    throw new Error("the file is no list that `idem pep import` wrote");
  }
  // Earlier releases imported files of other encodings so: whoever has such a name would be found by nobody.
  const lost = value.people.filter(([last, first]) => `${last}${first}`.includes("\uFFFD")).length;
  if (lost > 0) {
    throw new Error(
      `${lost} of its names lost letters when it was imported. Save its source as UTF-8 and import it again with \`idem pep import\``,
    );
  }
  return value;
};

type Entry = PepFile["people"][number];

/** Where each part of a name stands in the list. */
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
 * The parts of a name without what the ways of transliterating differ in (AA, AE, OE, UE, SS, NXX …): coarser than a name,
 * since it only finds who is compared.
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
 * Who shares two parts of the name, or the only one: a given name alone is shared by thousands. Where the whole birth date
 * is the same one part is enough, since a reader's slip may have changed another.
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
 * Pure: the same name, one shortened or one that a reader's slip explains, and no birth date that contradicts. Marks,
 * order and transliteration make no difference. Without any birth date the name must be the same whole: names are shared
 * by many.
 */
const isMaybe = (person: PepPerson, [lastName, firstName, birth]: Entry): boolean => {
  const verdict =
    firstName === "" ? compareWhole(person, lastName) : compareNames(person, { lastName, firstName }).verdict;
  if (verdict === "differs") return false;
  if (birth === null || person.dateOfBirth === null) return verdict === "same";
  return birth.length === 4 ? person.dateOfBirth.startsWith(birth) : person.dateOfBirth === birth;
};

/**
 * A name that the list does not part, whichever of its parts come first. One that has all parts of the other, two at
 * least, is the longer form of it.
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

/** Whether each part of `short` stands in `long`, one that comes twice there twice. */
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
