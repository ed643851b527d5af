import { hasMore, isWithinBound } from "../../values/comparison/bounded-name.ts";
import { type FieldName, fieldNames } from "../../values/field-name.ts";
import type { Confirmation, FieldReading, FieldSource } from "./field-reading.ts";
import { compareReadings, isOtherCentury, isSameValue } from "./same-value.ts";

/** A merged value with every source that has it. */
export type Field = {
  readonly value: string;
  /** The sources that have this value, each once. */
  readonly sources: readonly FieldSource[];
  /** 0…1. */
  readonly confidence: number;
  /** The check that confirms the value, in addition to the confidence. */
  readonly confirmedBy: readonly Confirmation[];
  /** Every reading of the field, including those with another value. */
  readonly readings: readonly FieldReading[];
};

/** Two readings of one field with different values. A contradiction is never averaged and never hidden. */
export type Contradiction = {
  readonly field: FieldName;
  readonly between: readonly [FieldReading, FieldReading];
};

export type Merged = {
  readonly values: { readonly [name in FieldName]?: Field };
  readonly contradictions: readonly Contradiction[];
};

/** Sources fail independently, but no merged value is certain. */
const confidenceMax = 0.999;

/**
 * Merges the readings of each field. The value of a binding MRZ stands. Without one, the value with more
 * sources wins, then the one with the higher confidence.
 */
export const mergeReadings = (readings: readonly FieldReading[]): Merged => {
  const values: { [name in FieldName]?: Field } = {};
  const contradictions: Contradiction[] = [];
  for (const name of fieldNames) {
    const own = readings.filter((reading) => reading.name === name);
    const field = fieldOf(own);
    if (field !== undefined) {
      values[name] = field;
    }
    contradictions.push(...contradictionsIn(name, own));
  }
  return { values, contradictions };
};

const fieldOf = (readings: readonly FieldReading[]): Field | undefined => {
  const settled = readings.filter(({ isUnsettled }) => isUnsettled !== true);
  const binding = settled.find(({ isBinding }) => isBinding === true);
  const groups = (binding === undefined ? settled : [binding]).map((reading) =>
    readings.filter((other) => isSameValue(reading, other) && !exceeds(other, binding)),
  );
  const [best] = groups.sort(
    (a, b) => sourcesOf(b).length - sourcesOf(a).length || highestConfidence(b) - highestConfidence(a),
  );
  const shown = best === undefined ? undefined : shownReading(best, binding);
  if (best === undefined || shown === undefined) {
    return undefined;
  }
  const sources = sourcesOf(best);
  return {
    value: shown.value,
    sources,
    confidence: combinedConfidence(best),
    confirmedBy: [
      ...new Set([
        ...best.flatMap(({ confirmedBy }) => confirmedBy ?? []),
        ...(sources.length > 1 ? (["second-source"] as const) : []),
      ]),
    ],
    readings,
  };
};

const isName = ({ name }: FieldReading): boolean => name === "lastName" || name === "firstName";

/** A name that may stand for the binding MRZ's, in a form that only print has. */
const mayStandFor = (reading: FieldReading, binding: FieldReading): boolean =>
  reading === binding ||
  isWithinBound(reading.value, {
    value: binding.value,
    mayBeTruncated: binding.mayBeTruncated === true,
    mayOmitParts: binding.mayOmitParts === true,
  });

/** A name with more parts than the binding MRZ, which had space for them. */
const exceeds = (reading: FieldReading, binding: FieldReading | undefined): boolean =>
  binding !== undefined &&
  isName(reading) &&
  hasMore(reading.value, binding.value) &&
  !mayStandFor(reading, binding);

const sourceOrder: readonly FieldSource[] = ["mrz", "barcode", "print"];

const sourcesOf = (readings: readonly FieldReading[]): readonly FieldSource[] =>
  sourceOrder.filter((source) => readings.some((reading) => reading.source === source));

const highestConfidence = (readings: readonly FieldReading[]): number =>
  Math.max(0, ...readings.map(({ confidence }) => confidence));

/** A source has the confidence of its best reading. Each further source errs independently. */
const combinedConfidence = (readings: readonly FieldReading[]): number => {
  const sources = sourcesOf(readings);
  const errors = sources.map(
    (source) => 1 - highestConfidence(readings.filter((reading) => reading.source === source)),
  );
  const confidence = 1 - errors.reduce((product, error) => product * error, 1);
  return sources.length > 1 ? Math.min(confidenceMax, confidence) : highestConfidence(readings);
};

/**
 * 0 of 148 printed texts were wrong from here on, 6 of 170 from 0.9 on (docs/measurements/documents.md,
 * "Printed fields").
 */
const shownConfidenceMin = 0.95;

/**
 * The reading whose value is shown. Only print has diacritics and small letters, and an MRZ may truncate a
 * name: for names print is shown where another source agrees. An exception is a source with a longer form: of
 * a printed name in two lines, one line may not have been read. Print and barcodes have the century of a
 * date, an MRZ does not.
 */
const shownReading = (
  group: readonly FieldReading[],
  binding: FieldReading | undefined,
): FieldReading | undefined => {
  const ofName = group.some(isName);
  const readings = ofName && binding !== undefined ? group.filter((one) => mayStandFor(one, binding)) : group;
  const [mrz] = readings.filter(({ source }) => source === "mrz");
  const dated = mrz && readings.find((other) => isOtherCentury(mrz, other));
  if (dated !== undefined) {
    return dated;
  }
  const whole = readings.filter((one) => !ofName || !readings.some((other) => isPartOf(one, other)));
  const printed = whole.find(({ source }) => source === "print");
  const isSupported = sourcesOf(readings).length > 1 || (printed?.confidence ?? 0) >= shownConfidenceMin;
  return ofName && printed !== undefined && isSupported
    ? printed
    : whole.toSorted((a, b) => b.confidence - a.confidence)[0];
};

/** The other reading has the same value with more letters, and this one is a part of it. */
const isPartOf = (one: FieldReading, other: FieldReading): boolean =>
  other.value.length > one.value.length && compareReadings(one, other) === "truncated";

const contradictionsIn = (name: FieldName, readings: readonly FieldReading[]): readonly Contradiction[] =>
  readings.flatMap((one, i) =>
    readings
      .slice(i + 1)
      .filter(
        (other) =>
          !isSameValue(one, other) &&
          one.isUnsettled !== true &&
          other.isUnsettled !== true &&
          (one.source !== other.source || one.side !== other.side),
      )
      .map((other): Contradiction => ({ field: name, between: [one, other] })),
  );
