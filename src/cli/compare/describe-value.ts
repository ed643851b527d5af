import type { FieldRule } from "./field-rules.ts";

/** A member that an answer does not have. */
export const absent = Symbol("absent");

/** Shapes of texts, from the most special one. */
const shapes: readonly (readonly [string, RegExp])[] = [
  ["empty text", /^$/],
  ["time", /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:?\d\d)$/],
  ["date", /^\d{4}-\d\d-\d\d$/],
  ["UUID", /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i],
  ["digits", /^\d+$/],
  ["URL", /^https?:\/\//],
  ["Base64", /^[\w+/-]{64,}={0,2}$/],
];

/** The first characters of an image or token show its shape. */
const shapedMax = 4096;

/** What a value is, in words without a part of it: `UUID`, `number`, `list of 2`. */
export const shapeOf = (value: unknown): string => {
  if (value === absent) return "absent";
  if (value === null) return "null";
  if (typeof value === "string") return shapeOfText(value);
  if (Array.isArray(value)) return `list of ${value.length}`;
  return typeof value;
};

const shapeOfText = (text: string): string =>
  shapes.find(([, pattern]) => pattern.test(text.slice(0, shapedMax)))?.[0] ?? "text";

/** What a report shows of a value: the value itself only where its rule allows it. */
export const describeValue = (value: unknown, rule: FieldRule): string => {
  if (typeof value === "boolean") return String(value);
  if (rule.kind === "exact" && typeof value === "number") return rule.showsNumbers ? String(value) : "number";
  if (rule.kind !== "exact" || typeof value !== "string") return shapeOf(value);
  if (rule.shown?.has(value)) return value;
  return value === "" ? "empty text" : `${shapeOfText(value)} of ${value.length}`;
};

/** Letters and digits alone, without case and accents. */
const essence = (text: string): string =>
  text
    .normalize("NFKD")
    .replaceAll(/[^\p{L}\p{N}]/gu, "")
    .toLowerCase();

/** Whether two texts differ only in case, accents, spaces and punctuation. */
export const isSameButForMarks = (one: unknown, other: unknown): boolean =>
  typeof one === "string" &&
  typeof other === "string" &&
  one !== other &&
  Math.max(one.length, other.length) <= shapedMax &&
  essence(one) === essence(other);

/**
 * Names of the interface are words: letters, and at most three digits in a row. Any other name may be a
 * value.
 */
const nameShape = /^[A-Za-z_](?:[A-Za-z_/-]|\d{1,3}(?!\d)){0,63}$/;

/** A field's name as a report shows it. */
export const showName = (name: string): string => (nameShape.test(name) ? name : "(name not shown)");
