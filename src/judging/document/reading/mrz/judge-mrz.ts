import { codeOf } from "./alphabet.ts";
import type { CheckResult } from "./checks.ts";
import { type CheckName, type Field, layouts, textAt } from "./formats.ts";
import { masks } from "./masks.ts";
import { type MrzFields, parseMrz } from "./parse.ts";

/**
 * Reasons why lines are no valid MRZ: no format has their shape, a character is outside A-Z, 0-9 and `<`, a
 * character is not allowed at its position, or a check digit is wrong.
 */
export type MrzFault = "shape" | "alphabet" | "characters" | CheckName;

/** Defects that are no faults: ICAO protects neither dates nor codes by a digit of their own. */
export type MrzDefect = "birth-not-a-date" | "expiry-not-a-date" | "state-unknown" | "digit-in-name";

/** Lines judged by the rules of their format. Valid means no fault. */
export type MrzJudgement = {
  readonly isValid: boolean;
  readonly faults: readonly MrzFault[];
  readonly defects: readonly MrzDefect[];
  /** Absent when no format has the shape of the lines. */
  readonly fields?: MrzFields;
};

const refusal = (fault: MrzFault): MrzJudgement => ({ isValid: false, faults: [fault], defects: [] });

const isName = ({ name }: Field): boolean => name === "names" || name === "givenNames";

/** Fields that hold a character which their class forbids. */
const strangeFields = ({ format, lines }: MrzFields): readonly Field[] =>
  layouts[format].fields.filter(({ at: [line, from, to], name }) => {
    const { allowed } = masks[format][line]!;
    const text = textAt(lines, [line, from, to]);
    return (
      name !== "filler" &&
      Array.from(text).some((character, i) => !allowed[from + i]!.includes(codeOf(character)))
    );
  });

const failing = (checks: readonly CheckResult[]): readonly CheckName[] =>
  checks.filter(({ holds }) => !holds).map(({ name }) => name);

const defectsOf = (fields: MrzFields, strange: readonly Field[]): readonly MrzDefect[] => {
  const { birth, expiry, statesKnown } = fields;
  const isWholeBirth = /^\d{6}$/.test(birth.text);
  const defects: readonly (readonly [MrzDefect, boolean])[] = [
    ["birth-not-a-date", isWholeBirth && birth.date === undefined],
    ["expiry-not-a-date", expiry !== undefined && /\d/.test(expiry.text) && expiry.date === undefined],
    ["state-unknown", !statesKnown],
    ["digit-in-name", strange.some(isName)],
  ];
  return defects.flatMap(([name, isSo]) => (isSo ? [name] : []));
};

/**
 * Judges the lines without repair: every check digit of their format, and the allowed characters of dates,
 * sex and codes (ICAO Doc 9303 parts 3 to 7). `day` (YYYY-MM-DD) decides the century of the birth date.
 */
export const judgeMrz = (lines: readonly string[], day: string): MrzJudgement => {
  if (lines.some((line) => Array.from(line).some((character) => codeOf(character) < 0))) {
    return refusal("alphabet");
  }
  const fields = parseMrz(lines, day);
  if (fields === undefined) {
    return refusal("shape");
  }
  const strange = strangeFields(fields);
  const faults: readonly MrzFault[] = [
    ...(strange.some((field) => !isName(field)) ? (["characters"] as const) : []),
    ...failing(fields.checks),
  ];
  return { isValid: faults.length === 0, faults, defects: defectsOf(fields, strange), fields };
};
