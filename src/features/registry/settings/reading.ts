import { type ShapeError, shapeFaults } from "#contract/shape-fault";
import type { JudgeUrl } from "#machine/egress/egress";
import { readPointer } from "../json-pointer.ts";

/** One reading of a settings file: what its parts need, and the problems so far. */
export type Reading = {
  /** Relative paths of files begin here. */
  readonly folder: string;
  readonly judgeUrl: JudgeUrl;
  readonly problems: string[];
};

type Shape<Value> = {
  readonly Check: (value: unknown) => value is Value;
  readonly Errors: (value: unknown) => readonly ShapeError[];
};

const shownMax = 60;

/**
 * Values of these places are left out. A URL may hold a secret, and a user may write a secret where the name
 * of its file belongs.
 */
const maskedPlace = /^\/(?:live|test)\/[^/]*\/(?:auth|request)(?:\/|$)/;

/** The wrong value in words. */
const shown = (place: string, value: unknown): string => {
  const isScalar = value === null || ["string", "number", "boolean"].includes(typeof value);
  if (!isScalar || maskedPlace.test(place)) return "";
  const text = JSON.stringify(value);
  return text.length > shownMax ? "" : ` (it is ${text})`;
};

/** The value if it has the shape; else undefined, with a problem for each wrong place. */
export const checked = <Value>(
  { problems }: Pick<Reading, "problems">,
  shape: Shape<Value>,
  place: string,
  value: unknown,
): Value | undefined => {
  if (shape.Check(value)) return value;
  for (const fault of shapeFaults(shape.Errors(value)).slice(0, 20)) {
    const end = fault.indexOf(": ");
    const at = fault.slice(0, end) === "/" ? "" : fault.slice(0, end);
    const sentence = fault.slice(end + 2);
    const found = sentence === "there is no such entry" ? "" : shown(place + at, readPointer(value, at));
    problems.push(`${place + at || "/"}: ${sentence}${found}`);
  }
  return undefined;
};

/** The value of a text as a key of JSON pointers. */
export const escaped = (name: string): string => name.replaceAll("~", "~0").replaceAll("/", "~1");
