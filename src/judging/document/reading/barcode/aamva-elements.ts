import { isCalendarDate } from "#contract/calendar-date";

/** Elements of a licence by their three-letter name, trimmed. */
export type AamvaElements = Readonly<Record<string, string>>;

/**
 * DCL is race and DBK is the social security number. Idem has no purpose for them, so they never leave the
 * parser.
 */
const neverKept = new Set(["DCL", "DBK"]);

/** Words that mean "no value" (AAMVA annex D). */
const emptyWords = new Set(["", "NONE", "UNK", "UNAVL", "UNAVAIL", "N/A"]);

/**
 * Reads the elements of a subfile and of the jurisdiction's subfile behind it, one per line. If a name
 * repeats, the first one counts. The subfile type is printed again before the first element (`ZCZCABRN`).
 */
export const readElements = (body: string): AamvaElements => {
  const elements: [string, string][] = [];
  const seen = new Set<string>();
  for (const line of body.split(/\n+/)) {
    const match = /^\s*(?:(Z[A-Z])(?=\1[A-Z]))?([DZ][A-Z][A-Z])([^\n]*)$/.exec(line);
    const [, , name, value] = match ?? [];
    if (name === undefined || value === undefined || neverKept.has(name) || seen.has(name)) {
      continue;
    }
    seen.add(name);
    elements.push([name, value.trim()]);
  }
  return Object.fromEntries(elements);
};

/** The value of the first element that has one. */
export const valueOf = (elements: AamvaElements, ...names: readonly string[]): string | undefined => {
  for (const name of names) {
    const value = Object.hasOwn(elements, name) ? elements[name] : undefined;
    if (value !== undefined && !emptyWords.has(value.toUpperCase())) {
      return value;
    }
  }
  return undefined;
};

/**
 * MMDDCCYY in the United States, CCYYMMDD in Canada and in version 01: the first two digits cannot collide.
 */
export const dateOf = (value: string | undefined): string | undefined => {
  const digits = value !== undefined && /^\d{8}$/.test(value) ? value : undefined;
  if (digits === undefined) {
    return undefined;
  }
  const yearFirst = /^(19|20|21)/.test(digits);
  const date = yearFirst
    ? `${digits.slice(0, 4)}-${digits.slice(4, 6)}-${digits.slice(6)}`
    : `${digits.slice(4)}-${digits.slice(0, 2)}-${digits.slice(2, 4)}`;
  return isCalendarDate(date) ? date : undefined;
};
