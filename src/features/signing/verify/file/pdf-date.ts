/** Parts of a date (ISO 32000-2, 7.9.4); all but the year may be missing, from the end on. */
const shape =
  /^D:(\d{4})(?:(\d\d)(?:(\d\d)(?:(\d\d)(?:(\d\d)(?:(\d\d))?)?)?)?)?(?:Z(?:00'?(?:00'?)?)?|([+-])(\d\d)(?:'?(\d\d))?'?)?$/;

/**
 * A date of a PDF in ISO 8601 and UTC; undefined for any other text, or that names no day of the calendar.
 * Without an offset it is in UTC.
 */
export const readPdfDate = (text: string): string | undefined => {
  const parts = shape.exec(text);
  if (parts === null) return undefined;
  const [, year, month = "01", day = "01", hour = "00", minute = "00", second = "00"] = parts;
  const stated = `${year}-${month}-${day}T${hour}:${minute}:${second}.000Z`;
  const at = Date.parse(stated);
  // A day that the month does not have is moved to the next month.
  if (Number.isNaN(at) || new Date(at).toISOString() !== stated) return undefined;
  const [sign, offsetHours, offsetMinutes] = [parts[7], Number(parts[8] ?? 0), Number(parts[9] ?? 0)];
  if (offsetHours > 23 || offsetMinutes > 59) return undefined;
  const offsetMs = (sign === "-" ? -1 : 1) * (offsetHours * 60 + offsetMinutes) * 60_000;
  const moment = new Date(at - offsetMs).toISOString();
  // A year before 0 has a sign.
  return /^\d/.test(moment) ? moment : undefined;
};
