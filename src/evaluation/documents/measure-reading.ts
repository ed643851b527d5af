import { quantile } from "#contract/statistics/quantile";
import { rateOf } from "#contract/statistics/rate";
import { editDistance } from "#judging/document/values/edit-distance";
import { type FieldsReport, type MeasuredFields, summariseFields } from "./measure-fields.ts";

/** One image of a list: the text of its MRZ and the text read. Times in ms, decode included. */
export type MeasuredImage = {
  readonly truth: readonly string[];
  /** Lines as read, without repair; empty if no MRZ was found or the image could not be decoded. */
  readonly lines: readonly string[];
  /** True if the MRZ was reported as valid. */
  readonly accepted: boolean;
  readonly ms: number;
};

type Bounds = { readonly low: number; readonly high: number };

/** Rates are fractions of 1; bounds are Clopper-Pearson, 95 %. */
export type DocumentsReport = {
  readonly pictures: number;
  readonly mrz: {
    readonly documents: number;
    readonly exactDocuments: number;
    readonly exactDocumentsBounds: Bounds;
    readonly lines: number;
    readonly exactLines: number;
    readonly characterAccuracy: number | null;
    readonly accepted: number;
    readonly falseReads: number;
    readonly falseReadsBounds: Bounds;
  };
  readonly fields: FieldsReport;
  readonly ms: { readonly median: number | null; readonly p95: number | null; readonly min: number | null };
};

const isExact = ({ truth, lines }: MeasuredImage): boolean =>
  truth.length === lines.length && truth.every((line, i) => line === lines[i]);

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

const boundsOf = (events: number, n: number): Bounds => {
  const { low, high } = rateOf(events, n);
  return { low, high };
};

const errorsIn = ({ truth, lines }: MeasuredImage): number =>
  sum(truth.map((line, i) => Math.min(line.length, editDistance(line, lines[i] ?? ""))));

/**
 * Compares readings with the truth. `pictures` counts every image of the list, including those without a
 * transcription.
 */
export const summariseDocuments = (
  images: number,
  measured: readonly MeasuredImage[],
  fields: readonly MeasuredFields[],
): DocumentsReport => {
  const characters = sum(measured.flatMap(({ truth }) => truth.map((line) => line.length)));
  const exact = measured.filter(isExact).length;
  const accepted = measured.filter((image) => image.accepted);
  const falseReads = accepted.filter((image) => !isExact(image)).length;
  const times = measured.map(({ ms }) => ms);
  return {
    pictures: images,
    mrz: {
      documents: measured.length,
      exactDocuments: exact,
      exactDocumentsBounds: boundsOf(exact, measured.length),
      lines: sum(measured.map(({ truth }) => truth.length)),
      exactLines: sum(
        measured.map(({ truth, lines }) => truth.filter((line, i) => line === lines[i]).length),
      ),
      characterAccuracy: characters === 0 ? null : 1 - sum(measured.map(errorsIn)) / characters,
      accepted: accepted.length,
      falseReads,
      falseReadsBounds: boundsOf(falseReads, measured.length),
    },
    fields: summariseFields(fields),
    ms: {
      median: quantile(times, 0.5) ?? null,
      p95: quantile(times, 0.95) ?? null,
      min: quantile(times, 0) ?? null,
    },
  };
};
