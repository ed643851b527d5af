/** Whether the holder of a document has reached an age: pure. */
import type { AgeAnswer, BirthReading } from "#contract/verification";

/** What an approved document shows of the birth: `YYYY-MM-DD` and `YYYY`, or null. */
export type Birth = { readonly date: string | null; readonly year: string | null };

export type AgeFinding = {
  readonly answer: AgeAnswer;
  readonly birth: BirthReading;
  readonly isApproved: boolean;
  readonly day: string;
};

const hourMs = 3_600_000;

/**
 * The day that has begun everywhere on Earth: the day of UTC−12. No holder is taken for older than the
 * calendar at their own place states. A holder whose birthday is today may be refused for some hours.
 */
export const dayBegunEverywhere = (at: Date): string =>
  new Date(at.getTime() - 12 * hourMs).toISOString().slice(0, 10);

const partsOf = (day: string): readonly [year: number, month: number, day: number] | undefined => {
  const found = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day);
  return found === null ? undefined : [Number(found[1]), Number(found[2]), Number(found[3])];
};

/**
 * Full years from a birth date to a day. A birthday on 29 February is reached on 1 March of other years, as
 * its digits compare.
 */
const yearsBetween = (date: string, day: string): number | undefined => {
  const born = partsOf(date);
  const now = partsOf(day);
  if (born === undefined || now === undefined) return undefined;
  const hadBirthday = now[1] > born[1] || (now[1] === born[1] && now[2] >= born[2]);
  return now[0] - born[0] - (hadBirthday ? 0 : 1);
};

/**
 * yes and no rest on an approved document alone. A birth year answers where the age is clear in each month of
 * the year; else the answer is unknown.
 */
export const judgeAge = (over: number, birth: Birth, isApproved: boolean, at: Date): AgeFinding => {
  const day = dayBegunEverywhere(at);
  const full = birth.date === null ? undefined : yearsBetween(birth.date, day);
  const year = birth.year !== null && /^\d{4}$/.test(birth.year) ? Number(birth.year) : undefined;
  const reading: BirthReading = full !== undefined ? "date" : year !== undefined ? "year" : "none";
  const finding = { birth: reading, isApproved, day };
  if (!isApproved || reading === "none") return { ...finding, answer: "unknown" };
  if (full !== undefined) return { ...finding, answer: full >= over ? "yes" : "no" };
  const years = Number(day.slice(0, 4)) - (year ?? 0);
  if (years === over) return { ...finding, answer: "unknown" };
  return { ...finding, answer: years > over ? "yes" : "no" };
};
