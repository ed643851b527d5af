import { type FieldName, fieldNames } from "../field-name.ts";
import { compareSightings, isOtherCentury, isSameValue } from "./same-value.ts";
import type { Confirmation, FieldSource, Sighting } from "./sighting.ts";

/** A value with every source that tells it. */
export type Field = {
  readonly value: string;
  /** The sources that say this value, each once. */
  readonly sources: readonly FieldSource[];
  /** 0…1. */
  readonly confidence: number;
  /** What vouches for it beside the reader. */
  readonly confirmedBy: readonly Confirmation[];
  /** Everything that was seen of the field, of whatever value. */
  readonly sightings: readonly Sighting[];
};

/** Two places of a document that say different things of one field; never averaged, never hidden. */
export type Contradiction = {
  readonly field: FieldName;
  readonly between: readonly [Sighting, Sighting];
};

export type Merged = {
  readonly values: { readonly [name in FieldName]?: Field };
  readonly contradictions: readonly Contradiction[];
};

/** Two sources do not fail together, but neither is ever beyond doubt. */
const confidenceMax = 0.999;

/** Joins what the sources tell of each field. The value that more sources say stands, then the surer one. */
export const mergeSightings = (sightings: readonly Sighting[]): Merged => {
  const values: { [name in FieldName]?: Field } = {};
  const contradictions: Contradiction[] = [];
  for (const name of fieldNames) {
    const own = sightings.filter((sighting) => sighting.name === name);
    const field = fieldOf(own);
    if (field !== undefined) {
      values[name] = field;
    }
    contradictions.push(...contradictionsIn(name, own));
  }
  return { values, contradictions };
};

const fieldOf = (sightings: readonly Sighting[]): Field | undefined => {
  const groups = sightings
    .filter(({ isUnsettled }) => isUnsettled !== true)
    .map((sighting) => sightings.filter((other) => isSameValue(sighting, other)));
  const [best] = groups.sort((a, b) => sourcesOf(b).length - sourcesOf(a).length || surest(b) - surest(a));
  const shown = best === undefined ? undefined : shownOf(best);
  if (best === undefined || shown === undefined) {
    return undefined;
  }
  const sources = sourcesOf(best);
  return {
    value: shown.value,
    sources,
    confidence: together(best),
    confirmedBy: [
      ...new Set([
        ...best.flatMap(({ confirmedBy }) => confirmedBy ?? []),
        ...(sources.length > 1 ? (["second-source"] as const) : []),
      ]),
    ],
    sightings,
  };
};

const order: readonly FieldSource[] = ["mrz", "barcode", "print"];

const sourcesOf = (sightings: readonly Sighting[]): readonly FieldSource[] =>
  order.filter((source) => sightings.some((sighting) => sighting.source === source));

const surest = (sightings: readonly Sighting[]): number =>
  Math.max(0, ...sightings.map(({ confidence }) => confidence));

/** One source is as sure as its surest sighting; each further one is wrong independently. */
const together = (sightings: readonly Sighting[]): number => {
  const sources = sourcesOf(sightings);
  const doubts = sources.map(
    (source) => 1 - surest(sightings.filter((sighting) => sighting.source === source)),
  );
  const confidence = 1 - doubts.reduce((product, doubt) => product * doubt, 1);
  return sources.length > 1 ? Math.min(confidenceMax, confidence) : surest(sightings);
};

/** 0 of 148 printed texts were wrong from here on, 6 of 170 from 0.9 on (docs/measurements.md, "Printed fields"). */
const shownFrom = 0.95;

/**
 * Print alone has marks and small letters, and no zone's end cuts it: of names it is shown where others say the same, unless
 * one of them has more of it: of a name in two lines one may not have been read. Print and symbols have the century of a
 * date, a zone has not.
 */
const shownOf = (sightings: readonly Sighting[]): Sighting | undefined => {
  const [zone] = sightings.filter(({ source }) => source === "mrz");
  const dated = zone && sightings.find((other) => isOtherCentury(zone, other));
  if (dated !== undefined) {
    return dated;
  }
  const isName = sightings.some(({ name }) => name === "lastName" || name === "firstName");
  const whole = sightings.filter((one) => !isName || !sightings.some((other) => isPartOf(one, other)));
  const printed = whole.find(({ source }) => source === "print");
  const isTold = sourcesOf(sightings).length > 1 || (printed?.confidence ?? 0) >= shownFrom;
  return isName && printed !== undefined && isTold
    ? printed
    : whole.toSorted((a, b) => b.confidence - a.confidence)[0];
};

/** The other has the same value with more letters, of which these are some. */
const isPartOf = (one: Sighting, other: Sighting): boolean =>
  other.value.length > one.value.length && compareSightings(one, other) === "truncated";

const contradictionsIn = (name: FieldName, sightings: readonly Sighting[]): readonly Contradiction[] =>
  sightings.flatMap((one, i) =>
    sightings
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
