import { rateOf } from "#contract/statistics/rate";
import { editDistance } from "#judging/document/values/edit-distance";
import { readNationalityWord } from "#judging/document/values/nationality-word";
import { readPrintedDate } from "#judging/document/values/printed-date";
import { readPrintedNumber } from "#judging/document/values/printed-number";
import { repairName } from "#judging/document/values/repair-name";
import { readSexWord } from "#judging/document/values/sex-word";

/** The kind of a printed value. It decides how the value is normalised. */
export type PrintedKind = "name" | "date" | "number" | "sex" | "nationality";

/** The printed fields of one image and the text lines read from it. */
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

/** The kind by the field's name; any other field is a name. */
const kinds: readonly (readonly [PrintedKind, RegExp])[] = [
  ["date", /date/i],
  ["sex", /^(gender|sex)$/i],
  ["nationality", /nationality/i],
  ["number", /number|^id$/i],
];

const kindOf = (field: string): PrintedKind => kinds.find(([, name]) => name.test(field))?.[0] ?? "name";

/** A country's model states the form of its numbers. Here the expected value states it. */
const patternOf = (number: string): string => number.replaceAll(/\d/g, "9").replaceAll(/[A-Z]/g, "A");

type Treatment = (text: string, expected: string) => string | undefined;

const treatments: Readonly<Record<PrintedKind, Treatment>> = {
  name: repairName,
  date: (text) => readPrintedDate(text),
  number: (text, expected) => readPrintedNumber(text, [patternOf(expected)]),
  sex: (text) => readSexWord(text),
  nationality: readNationalityWord,
};

/** The expected value after its normalisation. An unknown value of a list stays unchanged. */
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
 * A field counts as read if one line equals it after normalisation by kind. The link between a line and a
 * label is not checked. The character errors are those of the nearest line.
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
