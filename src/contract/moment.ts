import { Type } from "typebox";
import { type RequestFault, wrong } from "./request.ts";
import { isGiven } from "./request-rule.ts";

/** Schema of a point in time that bounds a list or a range. `momentFault` judges its form. */
export const momentText = (description: string, example = "2026-11-21T00:00:00.000Z") =>
  Type.String({ description, maxLength: 40, examples: [example] });

/** Example of the end of a range, a day after its beginning. */
export const endExample = "2026-11-22T00:00:00.000Z";

/** ISO 8601 with its offset from UTC, or a date alone, which begins in UTC. */
const momentShape = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2}))?$/u;

/** Whether the calendar has this day: `Date.parse` reads 30 February as 2 March. */
const isDay = (text: string): boolean => {
  const day = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
};

/** The fault of a given field that is no point in time. An empty text is as none. */
export const momentFault = (field: string, value: unknown): readonly RequestFault[] => {
  if (typeof value !== "string" || value === "") return [];
  const isMoment = momentShape.test(value) && isDay(value.slice(0, 10)) && !Number.isNaN(Date.parse(value));
  return isMoment ? [] : [wrong(field, "must be a date, or a time with its offset, in ISO 8601")];
};

/**
 * The faults of a range: of each end, and of a range in which no time lies. An end that is not given is open.
 */
export const rangeFaults = ({
  from,
  to,
}: {
  readonly from?: unknown;
  readonly to?: unknown;
}): readonly RequestFault[] => {
  const faults = [...momentFault("from", from), ...momentFault("to", to)];
  if (faults.length > 0 || !isGiven(from) || !isGiven(to)) return faults;
  const isEmpty = Date.parse(String(to)) <= Date.parse(String(from));
  return isEmpty ? [wrong("to", "must be after `from`. A date alone begins at 00:00 UTC")] : [];
};
