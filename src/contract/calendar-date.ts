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
