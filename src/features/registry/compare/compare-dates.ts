import { isCalendarDate } from "#contract/calendar-date";
import type { NameResult } from "./compare-parts.ts";

type PartialDate = { readonly year: string; readonly month?: string; readonly day?: string };

const known = (part: string | undefined): string | undefined =>
  part === undefined || part === "00" || part === "XX" ? undefined : part;

/** A date of a calendar, or a part of one: `1974`, `1974-08`, `1974-XX-XX`, `1974-00-00`. */
const readDate = (text: string): PartialDate | undefined => {
  const [, year, ...rest] = /^(\d{4})(?:-(\d\d|XX)(?:-(\d\d|XX))?)?$/.exec(text.trim().toUpperCase()) ?? [];
  const [month, day] = rest.map(known);
  if (year === undefined || (month === undefined && day !== undefined)) return undefined;
  const possible = `${year}-${month ?? "01"}-${day ?? "01"}`;
  return isCalendarDate(possible) ? { year, ...(month && { month }), ...(day && { day }) } : undefined;
};

/** Compares two dates; a part that one of them lacks makes them similar. */
export const compareDates = (a: string, b: string): NameResult => {
  const [left, right] = [readDate(a), readDate(b)];
  if (left === undefined || right === undefined) return "notComparable";
  if (left.year !== right.year) return "different";
  const pairs = [
    [left.month, right.month],
    [left.day, right.day],
  ] as const;
  if (pairs.some(([one, other]) => one !== undefined && other !== undefined && one !== other))
    return "different";
  return pairs.every(([one, other]) => one === other) ? "agrees" : "similar";
};

/** Compares birth dates. A date after `today` is no birth date. */
export const compareBirthDates = (a: string, b: string, today: string): NameResult =>
  [a, b].some((text) => isFuture(text, today)) ? "notComparable" : compareDates(a, b);

const isFuture = (text: string, today: string): boolean => {
  const date = readDate(text);
  return date !== undefined && `${date.year}-${date.month ?? "01"}-${date.day ?? "01"}` > today;
};
