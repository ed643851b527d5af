import { yearsBetween } from "../../values/dates.ts";
import type { ModelField } from "../models/document-model.ts";
import { onlyOne, unreadLabelEdits } from "./find-unlabelled.ts";
import { type DateConventions, readValue } from "./read-value.ts";
import type { Segment } from "./segments.ts";
import type { FieldResult, MatchedText } from "./viz-field.ts";

/**
 * No passport is valid for more years (ICAO Doc 9303-2 recommends ten at most): a date further before the
 * expiry is a birth date. The number is our choice.
 */
const validYearsMax = 15;

/** The order of dates on a data page (ICAO Doc 9303-4, 4.1), which is chronological. */
const order = ["dateOfBirth", "dateOfIssue", "dateOfExpiry"] as const;

/**
 * The dates of a passport's data page whose labels were not read. Where as many dates are free as are
 * missing, they are taken in the page's order if the three are then chronological. Otherwise a date too long
 * before the expiry for an issue is the birth date. A card may carry other dates.
 */
export const datesOfPage = (
  parts: readonly FieldResult[],
  free: readonly Segment[],
  conventions: DateConventions,
): ReadonlyMap<ModelField, MatchedText> => {
  const dates = order.flatMap((name) => parts.filter(({ field }) => field.name === name).slice(0, 1));
  const missing = dates.filter(({ found }) => found === undefined).map(({ field }) => field);
  const texts = free.filter(({ label }) => label === undefined);
  const matched = missing.map((field, i) =>
    matchDate(field, datesAmong(texts, missing, conventions)[i], conventions),
  );
  const isWhole =
    matched.every((one) => one !== undefined) &&
    datesAmong(texts, missing, conventions).length === missing.length;
  const values = dates.map(
    ({ field, found }) => found?.value ?? matched[missing.indexOf(field)]?.typed.value ?? "",
  );
  if (isWhole && isLife(values, conventions.day)) {
    return new Map(
      missing.flatMap((field, i) => (matched[i] === undefined ? [] : [[field, matched[i]] as const])),
    );
  }
  const [birth, , expiry] = dates;
  const early =
    birth?.found === undefined && birth !== undefined && expiry?.found !== undefined
      ? birthByExpiry(birth.field, expiry.found.value, texts, conventions)
      : undefined;
  return new Map(early === undefined || birth === undefined ? [] : [[birth.field, early]]);
};

/** Texts that are a date of any of the missing fields, each date once. */
const datesAmong = (
  texts: readonly Segment[],
  missing: readonly ModelField[],
  conventions: DateConventions,
): readonly Segment[] => {
  const isDate = ({ text }: Segment): boolean =>
    missing.some((field) => readValue(text, field, conventions) !== undefined);
  return texts.filter(
    (segment, i) => isDate(segment) && texts.findIndex(({ text }) => text === segment.text) === i,
  );
};

const matchDate = (
  field: ModelField,
  segment: Segment | undefined,
  conventions: DateConventions,
): MatchedText | undefined => {
  const typed = segment === undefined ? undefined : readValue(segment.text, field, conventions);
  return segment === undefined || typed === undefined
    ? undefined
    : { segments: [segment], typed, edits: unreadLabelEdits };
};

const isLife = ([birth = "", issue = "", expiry = ""]: readonly string[], day: string): boolean =>
  birth < issue && issue < expiry && issue <= day && yearsBetween(issue, expiry) <= validYearsMax;

const birthByExpiry = (
  field: ModelField,
  expiry: string,
  texts: readonly Segment[],
  conventions: DateConventions,
): MatchedText | undefined =>
  onlyOne(
    texts.flatMap((segment) => {
      const matched = matchDate(field, segment, conventions);
      return matched !== undefined && yearsBetween(matched.typed.value, expiry) > validYearsMax
        ? [matched]
        : [];
    }),
  );
