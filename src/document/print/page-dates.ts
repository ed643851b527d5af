import { yearsBetween } from "../dates.ts";
import type { ModelField } from "../models/document-model.ts";
import { labelUnread, onlyOne } from "./find-unlabelled.ts";
import type { Piece } from "./pieces.ts";
import type { Taken } from "./printed-fields.ts";
import { type Printing, readValue } from "./read-value.ts";
import type { Part } from "./split-names.ts";

/** No passport is valid for so many years (ICAO Doc 9303-2 recommends ten at most): what lies further back is a birth. Chosen. */
const validYearsMax = 15;

/** The order in which a data page has them (ICAO Doc 9303-4, 4.1), which is that of a life. */
const order = ["dateOfBirth", "dateOfIssue", "dateOfExpiry"] as const;

/**
 * The dates of a passport's data page of which the labels were not read. As many dates as are missing are those, in the
 * page's order, where the three are then in the order of a life; else the one that is too long before the expiry for an issue
 * is the birth. A card may carry other dates.
 */
export const datesOfPage = (
  parts: readonly Part[],
  free: readonly Piece[],
  printing: Printing,
): ReadonlyMap<ModelField, Taken> => {
  const dates = order.flatMap((name) => parts.filter(({ field }) => field.name === name).slice(0, 1));
  const missing = dates.filter(({ found }) => found === undefined).map(({ field }) => field);
  const texts = free.filter(({ label }) => label === undefined);
  const taken = missing.map((field, i) => takeDate(field, datesAmong(texts, missing, printing)[i], printing));
  const isWhole =
    taken.every((one) => one !== undefined) && datesAmong(texts, missing, printing).length === missing.length;
  const values = dates.map(
    ({ field, found }) => found?.value ?? taken[missing.indexOf(field)]?.typed.value ?? "",
  );
  if (isWhole && isLife(values, printing.day)) {
    return new Map(
      missing.flatMap((field, i) => (taken[i] === undefined ? [] : [[field, taken[i]] as const])),
    );
  }
  const [birth, , expiry] = dates;
  const early =
    birth?.found === undefined && birth !== undefined && expiry?.found !== undefined
      ? birthByExpiry(birth.field, expiry.found.value, texts, printing)
      : undefined;
  return new Map(early === undefined || birth === undefined ? [] : [[birth.field, early]]);
};

/** Texts that are dates, whichever of the missing fields they were, each date once. */
const datesAmong = (
  texts: readonly Piece[],
  missing: readonly ModelField[],
  printing: Printing,
): readonly Piece[] => {
  const isDate = ({ text }: Piece): boolean =>
    missing.some((field) => readValue(text, field, printing) !== undefined);
  return texts.filter(
    (piece, i) => isDate(piece) && texts.findIndex(({ text }) => text === piece.text) === i,
  );
};

const takeDate = (field: ModelField, piece: Piece | undefined, printing: Printing): Taken | undefined => {
  const typed = piece === undefined ? undefined : readValue(piece.text, field, printing);
  return piece === undefined || typed === undefined
    ? undefined
    : { pieces: [piece], typed, edits: labelUnread };
};

const isLife = ([birth = "", issue = "", expiry = ""]: readonly string[], day: string): boolean =>
  birth < issue && issue < expiry && issue <= day && yearsBetween(issue, expiry) <= validYearsMax;

const birthByExpiry = (
  field: ModelField,
  expiry: string,
  texts: readonly Piece[],
  printing: Printing,
): Taken | undefined =>
  onlyOne(
    texts.flatMap((piece) => {
      const taken = takeDate(field, piece, printing);
      return taken !== undefined && yearsBetween(taken.typed.value, expiry) > validYearsMax ? [taken] : [];
    }),
  );
