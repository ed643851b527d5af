import { checkDigit } from "./check-digit.ts";
import { type Check, type CheckName, type Layout, type Span, textAt } from "./formats.ts";

/** One check digit of a document: the digit found, the digit expected, and whether they agree. */
export type CheckResult = {
  readonly name: CheckName;
  readonly found: string;
  /** Undefined when the field holds a character outside the alphabet, or when a long number has no end. */
  readonly expected: string | undefined;
  readonly holds: boolean;
};

/** How many of the check digits are right. */
export const heldCount = (checks: readonly CheckResult[]): number =>
  checks.filter(({ holds }) => holds).length;

/** Whether no check digit is wrong; true for a format without check digits. */
export const allHold = (checks: readonly CheckResult[]): boolean => checks.every(({ holds }) => holds);

/** A number of more than nine characters, joined, with its check digit. */
export type LongNumber = { readonly number: string; readonly digit: string };

const isEmpty = (text: string): boolean => /^<*$/.test(text);

/**
 * The document number that continues in the optional data (9303-5, 4.2.2 note j): the first nine characters,
 * `<` in the place of the digit, then the rest, its digit and a filler. The `<` belongs neither to the number
 * nor to its digit (4.2.4). Undefined when the number is not a long one.
 */
export const longNumberOf = (layout: Layout, lines: readonly string[]): LongNumber | undefined => {
  const digit = layout.checks.find(({ name }) => name === "documentNumber")?.digit;
  const field = layout.fields.find(({ name }) => name === "documentNumber");
  if (layout.longNumber === undefined || digit === undefined || field === undefined) {
    return undefined;
  }
  const rest = textAt(lines, layout.longNumber).replace(/<.*$/, "");
  const isLong = textAt(lines, [digit[0], digit[1], digit[1] + 1]) === "<" && rest.length >= 2;
  return isLong ? { number: textAt(lines, field.at) + rest.slice(0, -1), digit: rest.slice(-1) } : undefined;
};

const judgeText = (name: CheckName, text: string, found: string, emptyMayBeFiller = false): CheckResult => {
  const expected = checkDigit(text);
  const holds = found === expected || (emptyMayBeFiller && found === "<" && isEmpty(text));
  return { name, found, expected, holds };
};

/**
 * Checks a long number. The `<` at position 15 does not count (9303-5, 4.2.4). Published specimens show that
 * Belgium has issued cards where it counts and cards where it does not, so both digits are valid for this
 * issuer.
 */
const judgeLongNumber = (
  layout: Layout,
  lines: readonly string[],
  { number, digit }: LongNumber,
): CheckResult => {
  const standard = judgeText("documentNumber", number, digit);
  const issuer = layout.fields.find(({ name }) => name === "issuer");
  if (standard.holds || issuer === undefined || textAt(lines, issuer.at) !== "BEL") {
    return standard;
  }
  const belgian = judgeText("documentNumber", `${number.slice(0, 9)}<${number.slice(9)}`, digit);
  return belgian.holds ? belgian : standard;
};

const judgeCheck = (layout: Layout, lines: readonly string[], check: Check): CheckResult => {
  const long = check.name === "documentNumber" ? longNumberOf(layout, lines) : undefined;
  if (long !== undefined) {
    return judgeLongNumber(layout, lines, long);
  }
  const [line, at] = check.digit;
  const text = check.over.map((span: Span) => textAt(lines, span)).join("");
  return judgeText(check.name, text, textAt(lines, [line, at, at + 1]), check.emptyMayBeFiller);
};

/**
 * Computes every check digit of the format, in the order of the layout; empty for a format without check
 * digits.
 */
export const judgeChecks = (layout: Layout, lines: readonly string[]): readonly CheckResult[] =>
  layout.checks.map((check) => judgeCheck(layout, lines, check));
