import { PdfError } from "../../pdf/damaged.ts";
import { dictionaryOf, type View } from "../../pdf/reader/open-view.ts";
import { type Entries, type PdfValue, pdfNull } from "../../pdf/reader/pdf-value.ts";
import type { Steps } from "../../pdf/steps.ts";

/** What an object is for. Objects with a role are compared by themselves. */
export type Role = "page" | "field" | "annotation";

/** The roles of the objects of a state by their numbers. */
export type Roles = ReadonlyMap<number, Role>;

type RolePair = { readonly before: Roles; readonly after: Roles };

/** Two states of a file, and what was already compared. Made by {@link makeComparison}. */
export type Comparison = {
  readonly before: View;
  readonly after: View;
  readonly roles: RolePair;
  /**
   * The place of the first difference, such as `Resources.Font.F1`; undefined where both values show the
   * same. Throws PdfError.
   */
  readonly find: (before: PdfValue | undefined, after: PdfValue | undefined) => string | undefined;
};

/** A pair of values takes some .2 µs. */
const pairSteps = 8;

/** More values are not compared: the file is refused. A document of a thousand pages has some 200,000. */
const valuesMax = 5_000_000;

type Path = { readonly above: Path | undefined; readonly key: string };
type Pair = { readonly a: PdfValue; readonly b: PdfValue; readonly path: Path | undefined };

const textOfPath = (path: Path | undefined): string => {
  const keys: string[] = [];
  for (let part = path; part !== undefined; part = part.above) keys.push(part.key);
  return keys.toReversed().slice(0, 8).join(".");
};

/**
 * Compares values with everything behind their references. Where both lead to an object of one role, their
 * numbers are compared, because such objects are compared by themselves. An object that gets or loses a role
 * differs: its role would hide what else it shows.
 */
export const makeComparison = (before: View, after: View, roles: RolePair): Comparison => {
  const { steps } = after;
  const same = new Set<string>();
  let values = 0;
  const [rootBefore, rootAfter] = [before.trailer.get("Root"), after.trailer.get("Root")];
  // The rule of a signature names the catalog as its Data (ISO 32000-2, table 256). The catalog is compared
  // by itself.
  const isCatalog = (first: number, second: number): boolean =>
    rootBefore?.kind === "reference" &&
    rootAfter?.kind === "reference" &&
    [rootBefore.number, rootAfter.number, second].every((number) => number === first);
  const find: Comparison["find"] = (first, second) => {
    const seen = new Set<string>();
    const open: Pair[] = [{ a: first ?? pdfNull, b: second ?? pdfNull, path: undefined }];
    for (let pair = open.pop(); pair !== undefined; pair = open.pop()) {
      if (++values > valuesMax) throw new PdfError("the file has too many values to compare");
      steps.take(pairSteps);
      const { a, b } = pair;
      const isReferences = a.kind === "reference" && b.kind === "reference";
      const former = a.kind === "reference" ? roles.before.get(a.number) : undefined;
      const current = b.kind === "reference" ? roles.after.get(b.number) : undefined;
      if (former !== current) return textOfPath(pair.path);
      if (former !== undefined && isReferences) {
        if (a.number !== b.number) return textOfPath(pair.path);
        continue;
      }
      if (isReferences && pair.path?.key === "Data" && isCatalog(a.number, b.number)) continue;
      const key = isReferences ? `${a.number} ${b.number}` : undefined;
      if (key !== undefined && (same.has(key) || seen.has(key))) continue;
      if (key !== undefined) seen.add(key);
      const inner = expand({ a: before.resolve(a), b: after.resolve(b), path: pair.path }, steps);
      if (inner === undefined) return textOfPath(pair.path);
      open.push(...inner);
    }
    // Only a comparison without any difference proves its inner pairs, because values may lead in circles.
    for (const key of seen) same.add(key);
    return undefined;
  };
  return { before, after, roles, find };
};

/** The pairs inside two values; undefined where the values themselves differ. */
const expand = ({ a, b, path }: Pair, steps: Steps): readonly Pair[] | undefined => {
  if (a.kind === "array" && b.kind === "array") {
    if (a.items.length !== b.items.length) return undefined;
    steps.take(a.items.length);
    return a.items.map((item, index) => ({
      a: item,
      b: b.items[index] ?? pdfNull,
      path: { above: path, key: `${index}` },
    }));
  }
  if (a.kind === "dictionary" && b.kind === "dictionary") {
    steps.take(a.entries.size + b.entries.size);
    return expandEntries(a.entries, b.entries, path);
  }
  if (a.kind === "stream" && b.kind === "stream") {
    steps.takeNative(a.raw.length);
    steps.take(a.entries.size + b.entries.size);
    return Buffer.compare(a.raw, b.raw) === 0 ? expandEntries(a.entries, b.entries, path) : undefined;
  }
  return isSamePlain(a, b) ? [] : undefined;
};

const expandEntries = (a: Entries, b: Entries, path: Path | undefined): readonly Pair[] =>
  [...new Set([...a.keys(), ...b.keys()])].map((key) => ({
    a: a.get(key) ?? pdfNull,
    b: b.get(key) ?? pdfNull,
    path: { above: path, key },
  }));

const isSamePlain = (a: PdfValue, b: PdfValue): boolean => {
  if (a.kind === "string" && b.kind === "string") return Buffer.compare(a.bytes, b.bytes) === 0;
  if (a.kind === "null" || b.kind === "null") return a.kind === b.kind;
  const [first, second] = [plainOf(a), plainOf(b)];
  return a.kind === b.kind && first !== undefined && first === second;
};

const plainOf = (value: PdfValue): string | number | boolean | undefined =>
  value.kind === "name" || value.kind === "number" || value.kind === "boolean" ? value.value : undefined;

/** The dictionaries behind two values, each in its state of the file. Throws PdfError. */
export const dictionariesOf = (
  { before, after }: Comparison,
  old: PdfValue | undefined,
  now: PdfValue | undefined,
): readonly [former: Entries, current: Entries] => [dictionaryOf(before, old), dictionaryOf(after, now)];

/**
 * The keys whose values differ, without those that are compared by themselves, and the place of the first
 * difference.
 */
export const changedKeys = (
  comparison: Comparison,
  old: Entries,
  now: Entries,
  apart: readonly string[],
): readonly { readonly key: string; readonly place: string }[] =>
  [...new Set([...old.keys(), ...now.keys()])].flatMap((key) => {
    if (apart.includes(key)) return [];
    const place = comparison.find(old.get(key), now.get(key));
    return place === undefined ? [] : [{ key, place: place === "" ? key : `${key}.${place}` }];
  });
