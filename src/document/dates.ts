/** Calendar dates as YYYY-MM-DD: comparable as text, without a clock and without a time zone. */

/** True for a date of the Gregorian calendar written YYYY-MM-DD, years 1800 to 2199. */
export const isCalendarDate = (text: string): boolean => {
  const match = /^(1[89]|2[01])\d{2}-(\d{2})-(\d{2})$/.exec(text);
  if (match === null) {
    return false;
  }
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().slice(0, 10) === text;
};

/** A date written YYYYMMDD; undefined for what is none. */
export const dateOfDigits = (text: string): string | undefined => {
  const date = `${text.slice(0, 4)}-${text.slice(4, 6)}-${text.slice(6)}`;
  return /^\d{8}$/.test(text) && isCalendarDate(date) ? date : undefined;
};

/** The UTC calendar day of an instant. */
export const dayOf = (instant: Date): string => instant.toISOString().slice(0, 10);

/**
 * The calendar day at UTC−12, the last place on Earth where it is still yesterday: a document is expired there only
 * when it is expired everywhere (code 511).
 */
export const earliestDayOnEarth = (instant: Date): string =>
  dayOf(new Date(instant.getTime() - 12 * 60 * 60 * 1000));

/** Whole years from a birth day to another day; a birthday counts from its own day on. */
export const yearsBetween = (birth: string, day: string): number => {
  const years = Number(day.slice(0, 4)) - Number(birth.slice(0, 4));
  return day.slice(5) < birth.slice(5) ? years - 1 : years;
};
