import type { CharacterClass } from "./alphabet.ts";

/** Formats of ICAO Doc 9303 parts 4 to 7, and the national cards that deviate from them. */
export type MrzFormat = "TD1" | "TD2" | "TD3" | "MRV-A" | "MRV-B" | "FRA-ID" | "FRA-LICENCE" | "CHE-LICENCE";

/** Whether the format belongs to a passport's data page or a visa, not to a card (9303-4 and 9303-7). */
export const isDataPageFormat = (format: MrzFormat): boolean =>
  format === "TD3" || format === "MRV-A" || format === "MRV-B";

export type FieldName =
  | "documentCode"
  | "issuer"
  | "documentNumber"
  | "nationality"
  | "birth"
  | "sex"
  | "expiry"
  | "names"
  | "givenNames"
  | "optional1"
  | "optional2";

export type CheckName = "documentNumber" | "birth" | "expiry" | "optional" | "composite";

/** Characters `from` to `to` (exclusive, from 0) of line `line`. */
export type Span = readonly [line: number, from: number, to: number];

/** `exactly`: the allowed characters of each position, when the class alone would allow too many. */
export type Field = {
  readonly name: FieldName | "filler";
  readonly at: Span;
  readonly holds: CharacterClass;
  readonly exactly?: readonly string[];
};

/**
 * `emptyMayBeFiller`: the digit of an empty field may be `<` as well as 0. Doc 9303 allows it for the
 * personal number of TD3 alone (9303-4, 4.2.2.2).
 */
export type Check = {
  readonly name: CheckName;
  readonly over: readonly Span[];
  readonly digit: readonly [line: number, at: number];
  readonly emptyMayBeFiller?: boolean;
};

/**
 * `longNumber`: the position of the rest of a number with more than nine characters (9303-5, 4.2.2 note j;
 * 9303-6 note j).
 */
export type Layout = {
  readonly format: MrzFormat;
  readonly lengths: readonly number[];
  readonly fields: readonly Field[];
  readonly checks: readonly Check[];
  readonly longNumber?: Span;
};

const field = (
  name: Field["name"],
  line: number,
  from: number,
  to: number,
  holds: CharacterClass,
  exactly?: readonly string[],
): Field => ({ name, at: [line, from, to], holds, ...(exactly === undefined ? {} : { exactly }) });

const check = (
  name: CheckName,
  digit: Check["digit"],
  over: readonly Span[],
  emptyMayBeFiller = false,
): Check => ({ name, over, digit, ...(emptyMayBeFiller ? { emptyMayBeFiller } : {}) });

const anyLetter = "ABCDEFGHIJKLMNOPQRSTUVWXYZ<";
const anyCharacter = `${anyLetter}0123456789`;

/** First line of the two-line documents: code, issuer, names. */
const headLine = (length: number, first: string, second: string): readonly Field[] => [
  field("documentCode", 0, 0, 2, "any", [first, second]),
  field("issuer", 0, 2, 5, "letters"),
  field("names", 0, 5, length, "letters"),
];

/** Second line of the two-line documents up to the expiry; the rest differs. */
const dataLine = (optionalTo: number): readonly Field[] => [
  field("documentNumber", 1, 0, 9, "any"),
  field("nationality", 1, 10, 13, "letters"),
  field("birth", 1, 13, 19, "date"),
  field("sex", 1, 20, 21, "sex"),
  field("expiry", 1, 21, 27, "date"),
  field("optional1", 1, 28, optionalTo, "any"),
];

const dataChecks: readonly Check[] = [
  check("documentNumber", [1, 9], [[1, 0, 9]]),
  check("birth", [1, 19], [[1, 13, 19]]),
  check("expiry", [1, 27], [[1, 21, 27]]),
];

const compositeOf = (to: number): Check =>
  check(
    "composite",
    [1, to],
    [
      [1, 0, 10],
      [1, 13, 20],
      [1, 21, to],
    ],
  );

const td3: Layout = {
  format: "TD3",
  lengths: [44, 44],
  fields: [...headLine(44, "P", anyLetter), ...dataLine(42)],
  checks: [...dataChecks, check("optional", [1, 42], [[1, 28, 42]], true), compositeOf(43)],
};

const td2: Layout = {
  format: "TD2",
  lengths: [36, 36],
  fields: [...headLine(36, "IACPR", anyCharacter), ...dataLine(35)],
  checks: [...dataChecks, compositeOf(35)],
  longNumber: [1, 28, 35],
};

/** Visas have no composite digit and no continuation of the number (9303-7, 4.2.2). */
const visa = (format: "MRV-A" | "MRV-B", length: number): Layout => ({
  format,
  lengths: [length, length],
  fields: [...headLine(length, "V", anyLetter), ...dataLine(length)],
  checks: dataChecks,
});

const td1: Layout = {
  format: "TD1",
  lengths: [30, 30, 30],
  fields: [
    field("documentCode", 0, 0, 2, "any", ["IACR", anyCharacter]),
    field("issuer", 0, 2, 5, "letters"),
    field("documentNumber", 0, 5, 14, "any"),
    field("optional1", 0, 15, 30, "any"),
    field("birth", 1, 0, 6, "date"),
    field("sex", 1, 7, 8, "sex"),
    field("expiry", 1, 8, 14, "date"),
    field("nationality", 1, 15, 18, "letters"),
    field("optional2", 1, 18, 29, "any"),
    field("names", 2, 0, 30, "letters"),
  ],
  checks: [
    check("documentNumber", [0, 14], [[0, 5, 14]]),
    check("birth", [1, 6], [[1, 0, 6]]),
    check("expiry", [1, 14], [[1, 8, 14]]),
    check(
      "composite",
      [1, 29],
      [
        [0, 5, 30],
        [1, 0, 7],
        [1, 8, 15],
        [1, 18, 29],
      ],
    ),
  ],
  longNumber: [0, 15, 30],
};

/** National identity card of France, 1988 to 2021. No expiry; the issue year and month begin the number. */
const frenchCard: Layout = {
  format: "FRA-ID",
  lengths: [36, 36],
  fields: [
    field("documentCode", 0, 0, 2, "letters", ["I", "D"]),
    field("issuer", 0, 2, 5, "letters", ["F", "R", "A"]),
    field("names", 0, 5, 30, "letters"),
    field("optional1", 0, 30, 36, "any"),
    field("documentNumber", 1, 0, 12, "any"),
    field("givenNames", 1, 13, 27, "letters"),
    field("birth", 1, 27, 33, "date"),
    field("sex", 1, 34, 35, "sex"),
  ],
  checks: [
    check("documentNumber", [1, 12], [[1, 0, 12]]),
    check("birth", [1, 33], [[1, 27, 33]]),
    check(
      "composite",
      [1, 35],
      [
        [0, 0, 36],
        [1, 0, 35],
      ],
    ),
  ],
};

/** Driving licence of France: one line; the first digit covers everything before it. */
const frenchLicence: Layout = {
  format: "FRA-LICENCE",
  lengths: [30],
  fields: [
    field("documentCode", 0, 0, 2, "any", ["D", "1"]),
    field("issuer", 0, 2, 5, "letters", ["F", "R", "A"]),
    field("documentNumber", 0, 5, 14, "any"),
    field("expiry", 0, 15, 21, "date"),
    field("names", 0, 21, 29, "letters"),
  ],
  checks: [check("documentNumber", [0, 14], [[0, 0, 14]]), check("composite", [0, 29], [[0, 0, 29]])],
};

/** Driving licence of Switzerland and Liechtenstein: a short line above two of 30, and no check digit. */
const swissLicence: Layout = {
  format: "CHE-LICENCE",
  lengths: [9, 30, 30],
  fields: [
    field("documentNumber", 0, 0, 9, "any"),
    field("documentCode", 1, 0, 2, "letters", ["F", "A"]),
    field("issuer", 1, 2, 5, "letters", ["CL", "HI", "E"]),
    field("optional1", 1, 5, 17, "digits"),
    field("filler", 1, 17, 19, "letters", ["<", "<"]),
    field("birth", 1, 19, 25, "date"),
    field("filler", 1, 25, 30, "letters", ["<", "<", "<", "<", "<"]),
    field("names", 2, 0, 30, "letters"),
  ],
  checks: [],
};

/** Every supported format with its layout. */
export const layouts = {
  TD1: td1,
  TD2: td2,
  TD3: td3,
  "MRV-A": visa("MRV-A", 44),
  "MRV-B": visa("MRV-B", 36),
  "FRA-ID": frenchCard,
  "FRA-LICENCE": frenchLicence,
  "CHE-LICENCE": swissLicence,
} as const satisfies Record<MrzFormat, Layout>;

/** The text of a span. */
export const textAt = (lines: readonly string[], [line, from, to]: Span): string =>
  (lines[line] ?? "").slice(from, to);
