import { isCalendarDate } from "#contract/calendar-date";

/**
 * A date of six characters. `date` (YYYY-MM-DD) and `year` are absent when the document leaves them unknown.
 */
export type MrzDate = {
  readonly text: string;
  readonly date?: string;
  readonly year?: number;
};

/** Two digits (`14`) as the newest year that is not after `latest`. */
const newestYear = (twoDigits: number, latest: number): number => {
  const year = Math.trunc(latest / 100) * 100 + twoDigits;
  return year > latest ? year - 100 : year;
};

/**
 * Birth date. ICAO Doc 9303-3, 4.8 has no rule for the century, so the newest date that is not after `day`
 * (YYYY-MM-DD) is taken. A person older than a hundred years needs another source. Unknown parts are fillers.
 */
export const birthOf = (text: string, day: string): MrzDate => {
  if (!/^\d{2}/.test(text)) {
    return { text };
  }
  const latest = Number(day.slice(0, 4));
  const year = newestYear(Number(text.slice(0, 2)), latest);
  if (!/^\d{6}$/.test(text)) {
    return { text, year };
  }
  const dayOfYear = `-${text.slice(2, 4)}-${text.slice(4, 6)}`;
  const date = `${year}${dayOfYear}`;
  const past = date > day ? `${year - 100}${dayOfYear}` : date;
  return isCalendarDate(past) ? { text, date: past, year: Number(past.slice(0, 4)) } : { text };
};

/** Expiry: years 2000 to 2099. If all characters are fillers, the document does not expire. */
export const expiryOf = (text: string): MrzDate => {
  const date = `20${text.slice(0, 2)}-${text.slice(2, 4)}-${text.slice(4, 6)}`;
  return /^\d{6}$/.test(text) && isCalendarDate(date)
    ? { text, date, year: Number(date.slice(0, 4)) }
    : { text };
};
