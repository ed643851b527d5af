import { rateOf } from "#contract/statistics/rate";
import type { CheckName } from "#judging/document/reading/mrz/formats";
import { layouts, textAt } from "#judging/document/reading/mrz/formats";
import { alpha3Of } from "#judging/document/reading/mrz/issuer";
import { judgeMrz, type MrzFault } from "#judging/document/reading/mrz/judge-mrz";
import type { MrzFields } from "#judging/document/reading/mrz/parse";

/** Values of an MRZ that a vector may expect; dates as the six characters of the MRZ. */
export type MrzValueName =
  | "format"
  | "documentCode"
  | "issuer"
  | "documentNumber"
  | "nationality"
  | "birth"
  | "sex"
  | "expiry"
  | "surname"
  | "givenNames"
  | "optional1"
  | "optional2"
  | `${CheckName}Digit`;

export type MrzVector = {
  readonly id: string;
  readonly lines: readonly string[];
  readonly isValid: boolean;
  readonly expected: { readonly [name in MrzValueName]?: string };
  /** The known faults; empty if only the verdict is known. */
  readonly failing: readonly MrzFault[];
};

/** A vector with a wrong result: the expected value and the actual one. */
export type MrzMistake = { readonly id: string; readonly what: string };

type Share = { readonly n: number; readonly count: number; readonly low: number; readonly high: number };

/** Shares with Clopper-Pearson bounds, 95 %. */
export type MrzReport = {
  readonly vectors: number;
  readonly valid: { readonly accepted: Share; readonly values: Share };
  readonly invalid: { readonly refused: Share; readonly faultNamed: Share };
  readonly mistakes: readonly MrzMistake[];
};

const bare = (text: string): string => text.replaceAll("<", " ").replaceAll(/\s+/g, " ").trim();

const rawOptional = ({ format, lines }: MrzFields): string => {
  const field = layouts[format].fields.find(({ name }) => name === "optional1");
  return field === undefined ? "" : textAt(lines, field.at);
};

const digitOf = ({ checks }: MrzFields, name: CheckName): string | undefined =>
  checks.find((check) => check.name === name)?.found;

/** The values as read; the first optional data also in its raw form, with the rest of a long number. */
const readers = {
  format: ({ format }) => [format],
  documentCode: ({ documentCode }) => [documentCode],
  issuer: ({ issuer }) => [issuer],
  documentNumber: ({ documentNumber }) => [documentNumber],
  nationality: ({ nationality }) => [nationality],
  birth: ({ birth }) => [birth.text],
  sex: ({ sex }) => [sex],
  expiry: ({ expiry }) => [expiry?.text],
  surname: ({ names }) => [names.primary],
  givenNames: ({ names }) => [names.secondary],
  optional1: (fields) => [fields.optional1, rawOptional(fields)],
  optional2: ({ optional2 }) => [optional2],
  documentNumberDigit: (fields) => [digitOf(fields, "documentNumber")],
  birthDigit: (fields) => [digitOf(fields, "birth")],
  expiryDigit: (fields) => [digitOf(fields, "expiry")],
  optionalDigit: (fields) => [digitOf(fields, "optional")],
  compositeDigit: (fields) => [digitOf(fields, "composite")],
} as const satisfies Record<MrzValueName, (fields: MrzFields) => readonly (string | undefined)[]>;

const isMrzValueName = (name: string): name is MrzValueName => Object.hasOwn(readers, name);

const valueNames = Object.keys(readers).filter(isMrzValueName);

const isExpected = (fields: MrzFields, name: MrzValueName, expected: string): boolean => {
  const wanted = name === "issuer" || name === "nationality" ? alpha3Of(expected) : expected;
  return readers[name](fields).some((value) => bare(value ?? "") === bare(wanted));
};

type Judged = {
  readonly vector: MrzVector;
  readonly isRight: boolean;
  readonly wrongValues: readonly string[];
  readonly isNamed: boolean;
  readonly faults: readonly MrzFault[];
};

/** Lines of unknown shape or with foreign characters have no check that could be named. */
const namesFailing = (faults: readonly MrzFault[], failing: readonly MrzFault[]): boolean =>
  faults.length > 0 &&
  (faults.includes("shape") ||
    faults.includes("alphabet") ||
    failing.every((fault) => faults.includes(fault)));

const judge = (vector: MrzVector, day: string): Judged => {
  const { isValid, faults, fields } = judgeMrz(vector.lines, day);
  const wrongValues = valueNames.flatMap((name) => {
    const expected = vector.expected[name];
    if (expected === undefined) {
      return [];
    }
    const isWrong = vector.isValid && fields !== undefined && !isExpected(fields, name, expected);
    return isWrong ? [`${name} is ${readers[name](fields)[0] ?? "absent"}, not ${expected}`] : [];
  });
  return {
    vector,
    isRight: isValid === vector.isValid,
    wrongValues,
    isNamed: namesFailing(faults, vector.failing),
    faults,
  };
};

const mistakesOf = ({ vector, isRight, wrongValues, isNamed, faults }: Judged): readonly MrzMistake[] => {
  const { id } = vector;
  if (!isRight) {
    const what = vector.isValid ? `refused, though valid: ${faults.join(", ")}` : "accepted, though invalid";
    return [{ id, what }];
  }
  if (vector.isValid) {
    return wrongValues.map((what) => ({ id, what }));
  }
  return isNamed ? [] : [{ id, what: `named ${faults.join(", ")} instead of ${vector.failing.join(", ")}` }];
};

const share = (judged: readonly Judged[], holds: (one: Judged) => boolean): Share => {
  const count = judged.filter(holds).length;
  const { low, high } = rateOf(count, judged.length);
  return { n: judged.length, count, low, high };
};

/** Judges MRZ texts against their known results. `day` (YYYY-MM-DD) is today. */
export const measureMrzVectors = (vectors: readonly MrzVector[], day: string): MrzReport => {
  const judged = vectors.map((vector) => judge(vector, day));
  const valid = judged.filter(({ vector }) => vector.isValid);
  const invalid = judged.filter(({ vector }) => !vector.isValid);
  return {
    vectors: judged.length,
    valid: {
      accepted: share(valid, ({ isRight }) => isRight),
      values: share(valid, ({ isRight, wrongValues }) => isRight && wrongValues.length === 0),
    },
    invalid: {
      refused: share(invalid, ({ isRight }) => isRight),
      faultNamed: share(invalid, ({ isRight, isNamed }) => isRight && isNamed),
    },
    mistakes: judged.flatMap(mistakesOf),
  };
};
