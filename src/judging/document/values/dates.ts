import { isCalendarDate } from "#contract/calendar-date";

/** A date written YYYYMMDD; undefined for other texts. */
export const dateOfDigits = (text: string): string | undefined => {
  const date = `${text.slice(0, 4)}-${text.slice(4, 6)}-${text.slice(6)}`;
  return /^\d{8}$/.test(text) && isCalendarDate(date) ? date : undefined;
};

/** The UTC calendar day of an instant. */
export const dayOf = (instant: Date): string => instant.toISOString().slice(0, 10);

/**
 * The calendar day at UTC−12, the last place on Earth where it is still yesterday. A document that is expired
 * there is expired everywhere (code 511).
 */
export const earliestDayOnEarth = (instant: Date): string =>
  dayOf(new Date(instant.getTime() - 12 * 60 * 60 * 1000));

/** Whole years from a birth date to another day; a birthday counts from its own day on. */
export const yearsBetween = (birth: string, day: string): number => {
  const years = Number(day.slice(0, 4)) - Number(birth.slice(0, 4));
  return day.slice(5) < birth.slice(5) ? years - 1 : years;
};
