import { rateOf } from "#statistics/rate";
import { editDistance } from "./text/edit-distance.ts";
import { readNationalityWord } from "./text/nationality-word.ts";
import { readPrintedDate } from "./text/printed-date.ts";
import { readPrintedNumber } from "./text/printed-number.ts";
import { repairName } from "./text/repair-name.ts";
import { readSexWord } from "./text/sex-word.ts";

/** What a printed value is, which decides how it is treated. */
export type PrintedKind = "name" | "date" | "number" | "sex" | "nationality";

/** The printed fields of one picture and the lines that were read of it. */
export type MeasuredFields = {
  readonly expected: readonly { readonly field: string; readonly value: string }[];
  readonly lines: readonly string[];
};

type Count = { readonly n: number; readonly exact: number };

/** Rates are fractions of 1; bounds are Clopper-Pearson, 95 %. */
export type FieldsReport = Count & {
  readonly exactBounds: { readonly low: number; readonly high: number };
  readonly characterAccuracy: number | null;
  readonly byKind: Readonly<Partial<Record<PrintedKind, Count>>>;
};

/** The kind by the field's name: everything that is none of the others is a name. */
const kinds: readonly (readonly [PrintedKind, RegExp])[] = [
  ["date", /date/i],
  ["sex", /^(gender|sex)$/i],
  ["nationality", /nationality/i],
  ["number", /number|^id$/i],
];

const kindOf = (field: string): PrintedKind => kinds.find(([, name]) => name.test(field))?.[0] ?? "name";

/** A country's model knows the form of its numbers: here the expected value tells it. */
const patternOf = (number: string): string => number.replaceAll(/\d/g, "9").replaceAll(/[A-Z]/g, "A");

type Treatment = (text: string, expected: string) => string | undefined;

const treatments: Readonly<Record<PrintedKind, Treatment>> = {
  name: repairName,
  date: (text) => readPrintedDate(text),
  number: (text, expected) => readPrintedNumber(text, [patternOf(expected)]),
  sex: (text) => readSexWord(text),
  nationality: readNationalityWord,
};

/** The expected value as its treatment answers it; a value of a list that we do not know stands as it is. */
const wantedOf = (kind: PrintedKind, value: string): string =>
  kind === "name" || kind === "number" ? value.normalize("NFC") : (treatments[kind](value, value) ?? value);

type JudgedField = {
  readonly kind: PrintedKind;
  readonly exact: boolean;
  readonly length: number;
  readonly errors: number;
};

const judgeField = (field: string, value: string, lines: readonly string[]): JudgedField => {
  const kind = kindOf(field);
  const wanted = wantedOf(kind, value);
  const read = lines.map((line) => treatments[kind](line, value) ?? line);
  const distances = read.map((line) => editDistance(line, wanted));
  const errors = Math.min(wanted.length, ...distances);
  return { kind, exact: read.includes(wanted), length: wanted.length, errors };
};

const countOf = (judged: readonly JudgedField[]): Count => ({
  n: judged.length,
  exact: judged.filter(({ exact }) => exact).length,
});

/**
 * A field counts when one line equals it after the treatment of its kind; which line belongs to which label is not asked.
 * The characters of the nearest line count.
 */
export const summariseFields = (measured: readonly MeasuredFields[]): FieldsReport => {
  const judged = measured.flatMap(({ expected, lines }) =>
    expected.map(({ field, value }) => judgeField(field, value, lines)),
  );
  const { n, exact } = countOf(judged);
  const { low, high } = rateOf(exact, n);
  const characters = judged.reduce((sum, { length }) => sum + length, 0);
  const errors = judged.reduce((sum, field) => sum + field.errors, 0);
  const present = [...new Set(judged.map(({ kind }) => kind))];
  return {
    n,
    exact,
    exactBounds: { low, high },
    characterAccuracy: characters === 0 ? null : 1 - errors / characters,
    byKind: Object.fromEntries(
      present.map((kind) => [kind, countOf(judged.filter((field) => field.kind === kind))]),
    ),
  };
};
