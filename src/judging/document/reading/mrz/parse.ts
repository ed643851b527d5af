import { codeOf } from "./alphabet.ts";
import { allHold, type CheckResult, judgeChecks, longNumberOf } from "./checks.ts";
import { type FieldName, type Layout, layouts, type MrzFormat, textAt } from "./formats.ts";
import { alpha3Of, isKnownState } from "./issuer.ts";
import { birthOf, expiryOf, type MrzDate } from "./mrz-date.ts";
import { joinNames, type MrzNames, splitNames } from "./names.ts";

/** The fields of an MRZ as plain values. Fillers are removed, except inside the optional data. */
export type MrzFields = {
  readonly format: MrzFormat;
  readonly lines: readonly string[];
  /** One or two characters, as `P`, `ID`, `IN`, `C`. */
  readonly documentCode: string;
  /** Alpha-3 as ICAO defines it, `D` as DEU. */
  readonly issuer: string;
  readonly documentNumber: string;
  /** A visa truncates a long number at nine characters (9303-7 note j). */
  readonly numberMayBeTruncated: boolean;
  readonly birth: MrzDate;
  /** `X` for a filler or an X; undefined when the format has no sex field. */
  readonly sex?: "M" | "F" | "X";
  /** Absent when the format has no expiry. */
  readonly expiry?: MrzDate;
  /**
   * A card whose expiry is all fillers. Spain and Peru also print year 99 (9999, no expiry) on cards of
   * elderly holders.
   */
  readonly neverExpires: boolean;
  /** Alpha-3; absent when the format has none. */
  readonly nationality?: string;
  readonly names: MrzNames;
  readonly optional1: string;
  readonly optional2: string;
  readonly checks: readonly CheckResult[];
  /** Every check digit of the format is valid. True for a format without check digits. */
  readonly checksHold: boolean;
  /** Issuer and nationality are codes of ISO 3166-1 or ICAO Doc 9303. */
  readonly statesKnown: boolean;
};

type Read = (name: FieldName) => string | undefined;

const isMrzText = (text: string): boolean => Array.from(text).every((character) => codeOf(character) >= 0);

const fits = (layout: Layout, lines: readonly string[]): boolean =>
  layout.lengths.length === lines.length &&
  layout.lengths.every((length, i) => lines[i]?.length === length) &&
  layout.fields.every(({ at, exactly }) =>
    (exactly ?? []).every((allowed, i) => allowed.includes(textAt(lines, at)[i] ?? " ")),
  );

/** National formats come before the general formats of the same lengths: they begin with fixed letters. */
const order = ["FRA-ID", "FRA-LICENCE", "CHE-LICENCE", "TD3", "MRV-A", "TD2", "MRV-B", "TD1"] as const;

/**
 * The format of the lines, by their count, lengths and fixed letters. A French identity card has the shape of
 * TD2: it is French when its own composite digit holds, or when the digit of TD2 does not.
 */
export const formatOf = (lines: readonly string[]): MrzFormat | undefined => {
  const fitting = order.filter((format) => fits(layouts[format], lines));
  const [first, second] = fitting;
  const holds = (format: MrzFormat) => judgeChecks(layouts[format], lines).every((check) => check.holds);
  return first === "FRA-ID" && second !== undefined && !holds(first) && holds(second) ? second : first;
};

const sexOf = (text: string | undefined): "M" | "F" | "X" | undefined => {
  if (text === "M" || text === "F") {
    return text;
  }
  return text === "<" || text === "X" ? "X" : undefined;
};

/**
 * Costa Rica's DIMEX (code `C<`) has eleven or twelve digits: nine in the number field, whose digit is at
 * position 15, and the rest right after it without a digit of its own. ICAO has no such number, so only this
 * issuer's is joined.
 */
const nationalNumber = (layout: Layout, lines: readonly string[], read: Read): string | undefined => {
  const rest = (read("optional1") ?? "").replace(/<.*$/, "");
  const isDimex = layout.format === "TD1" && lines[0]?.startsWith("C<CRI") === true;
  return isDimex && /^\d{2,3}$/.test(rest) ? (read("documentNumber") ?? "") + rest : undefined;
};

const numberOf = (layout: Layout, lines: readonly string[], read: Read): string =>
  nationalNumber(layout, lines, read) ??
  longNumberOf(layout, lines)?.number ??
  (read("documentNumber") ?? "").replace(/<+$/, "");

const namesOf = (read: Read): MrzNames => {
  const given = read("givenNames");
  const names = read("names") ?? "";
  return given === undefined ? splitNames(names) : joinNames(names, given);
};

const optionalOf = (text: string | undefined): string => (text ?? "").replace(/<+$/, "");

/** Optional data after a long number: the text behind its digit, without the rest of the number. */
const optional1Of = (layout: Layout, lines: readonly string[], read: Read): string => {
  const text = read("optional1");
  const isLong = longNumberOf(layout, lines) !== undefined;
  return optionalOf(isLong ? text?.replace(/^[^<]*</, "") : text).replace(isLong ? /^<+/ : /^$/, "");
};

const issuersOf9999: readonly string[] = ["ESP", "PER"];

const isNever = (expiry: string, issuer: string, format: MrzFormat): boolean =>
  (format === "TD1" || format === "TD2") &&
  (expiry === "<<<<<<" || (expiry.startsWith("99") && issuersOf9999.includes(issuer)));

/** The expiry fields, without a date when the document has none. */
const expiryFields = (
  expiry: string | undefined,
  issuer: string,
  format: MrzFormat,
): Pick<MrzFields, "expiry" | "neverExpires"> => {
  if (expiry === undefined) {
    return { neverExpires: false };
  }
  const neverExpires = isNever(expiry, issuer, format);
  return { expiry: neverExpires ? { text: expiry } : expiryOf(expiry), neverExpires };
};

const readLayout = (layout: Layout, lines: readonly string[], day: string): MrzFields => {
  const read: Read = (name) => {
    const field = layout.fields.find((candidate) => candidate.name === name);
    return field === undefined ? undefined : textAt(lines, field.at);
  };
  const number = numberOf(layout, lines, read);
  const [expiry, nationality, sex] = [read("expiry"), read("nationality"), sexOf(read("sex"))];
  const checks = judgeChecks(layout, lines);
  const states = [read("issuer") ?? "", ...(nationality === undefined ? [] : [nationality])];
  return {
    format: layout.format,
    lines,
    documentCode: (read("documentCode") ?? "").replace(/<+$/, ""),
    issuer: alpha3Of(read("issuer") ?? ""),
    documentNumber: number,
    numberMayBeTruncated: layout.format.startsWith("MRV") && number.length === 9,
    birth: birthOf(read("birth") ?? "", day),
    ...(sex === undefined ? {} : { sex }),
    ...expiryFields(expiry, read("issuer") ?? "", layout.format),
    ...(nationality === undefined ? {} : { nationality: alpha3Of(nationality) }),
    names: namesOf(read),
    optional1: optional1Of(layout, lines, read),
    optional2: optionalOf(read("optional2")),
    checks,
    checksHold: allHold(checks),
    statesKnown: states.every(isKnownState),
  };
};

/**
 * Parses the lines of an MRZ. `referenceDay` (YYYY-MM-DD) decides the century of the birth date. Undefined
 * when the lines have no known format. Wrong check digits are reported, never repaired.
 */
export const parseMrz = (
  lines: readonly string[],
  referenceDay: string,
  format: MrzFormat | undefined = formatOf(lines),
): MrzFields | undefined => {
  if (format === undefined || !lines.every(isMrzText)) {
    return undefined;
  }
  const layout = layouts[format];
  const sameShape =
    layout.lengths.length === lines.length && layout.lengths.every((n, i) => lines[i]?.length === n);
  return sameShape ? readLayout(layout, lines, referenceDay) : undefined;
};
