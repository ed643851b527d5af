import type { Box } from "#machine/imaging/image";
import { isWithinEdits } from "../../values/edit-distance.ts";
import type { ModelField } from "../models/document-model.ts";
import { type Candidate, candidatesFor, type Placement } from "./candidates.ts";
import type { NormalisedText, NormaliseText } from "./normalise-text.ts";
import { type DateConventions, isWords, readValue } from "./read-value.ts";
import type { Segment } from "./segments.ts";
import type { MatchedText } from "./viz-field.ts";

/**
 * The text of a field by its label; `rivals`: texts that stand there as well, so that none of them is the
 * value.
 */
export type Assigned = { readonly matched: MatchedText } | { readonly rivals: readonly MatchedText[] };

/** The texts of a side. `lost`: labels that every card has and that were not read here. */
export type LabelledSide = {
  readonly fields: readonly ModelField[];
  readonly labelsOf: (field: ModelField) => readonly Segment[];
  readonly segments: readonly Segment[];
  readonly lost: readonly NormalisedText[];
  readonly normaliseText: NormaliseText;
};

/** A text that may be the value of a field. */
type Option = {
  readonly field: ModelField;
  readonly label: Segment;
  readonly matched: MatchedText;
  readonly cost: number;
  readonly isWhole: boolean;
  /** Its label stands left of it. */
  readonly isInRows: boolean;
};

/** Where the values of a side are. `isFirm`: so many show it that words elsewhere are no values. */
type Usual = { readonly placement: Placement; readonly isFirm: boolean };

/**
 * Costs, in those of `candidates.ts`. Chosen on drawn cards (docs/measurements/documents.md, "Printed
 * fields").
 */
const costs = {
  /** The value stands where the side's other values do not. */
  unusualPlacement: 1.5,
  labelEdit: 0.2,
  /** The model's place only breaks ties. */
  away: 0.05,
  /** Each line less than the field may take. */
  rowLess: 0.3,
  wrongCheckDigit: 4,
  /** Two texts whose costs differ by less are equally likely. */
  rival: 0.3,
} as const;

/**
 * Assigns texts to the labelled fields of a side. Each label's candidates are scored by kind, distance and
 * column, the likeliest pair of all is taken first, and a text serves one field. Where another free text is
 * as likely, there is no value.
 */
export const assignValues = (
  side: LabelledSide,
  conventions: DateConventions,
): ReadonlyMap<ModelField, Assigned> => {
  const owned = side.fields.map((field) => ({ field, labels: side.labelsOf(field) }));
  const usual = usualPlacement(
    owned.flatMap(({ labels }) => labels),
    side.segments,
  );
  const options = owned
    .flatMap(({ field, labels }) =>
      labels.flatMap((label) => optionsOf(field, label, side, usual, conventions)),
    )
    .sort((a, b) => a.cost - b.cost);
  const taken: Option[] = [];
  for (const option of options) {
    if (!taken.some((other) => other.field === option.field || areExclusive(option, other))) {
      taken.push(option);
    }
  }
  return new Map(
    taken.map((option) => {
      const rivals = options.filter(
        (other) => isRival(other, option, taken) || (side.lost.length > 0 && isShorter(other, option)),
      );
      return [
        option.field,
        rivals.length === 0
          ? { matched: option.matched }
          : { rivals: [option, ...rivals].map(({ matched }) => matched) },
      ];
    }),
  );
};

const optionsOf = (
  field: ModelField,
  label: Segment,
  side: LabelledSide,
  usual: Usual | undefined,
  conventions: DateConventions,
): readonly Option[] =>
  candidatesFor(label, side.segments, usual?.placement)
    .filter(({ isWhole, placement }) => !isWords(field) || (!isWhole && !isFirmlyOther(placement, usual)))
    .flatMap((candidate) =>
      matchesOf(field, untilLostLabel(candidate.rows, side), conventions).map(
        ({ segments: rows, typed }, i) => ({
          field,
          label,
          matched: { segments: rows, typed, edits: label.edits },
          cost:
            candidate.cost +
            (usual === undefined || candidate.placement === usual.placement ? 0 : costs.unusualPlacement) +
            label.edits * costs.labelEdit +
            awayFrom(field, candidate) * costs.away +
            (typed.isBroken === true ? costs.wrongCheckDigit : 0) +
            i * costs.rowLess,
          isWhole: candidate.isWhole,
          isInRows: candidate.placement === "right",
        }),
      ),
    );

const isFirmlyOther = (placement: Placement, usual: Usual | undefined): boolean =>
  usual?.isFirm === true && placement !== usual.placement;

/** Share of letters that may be wrong in a label that was not recognised. The number is our choice. */
const lostShareMax = 0.4;
const lostLettersMin = 6;

/** The lines before one that resembles a lost label. */
const untilLostLabel = (
  rows: readonly Segment[],
  { lost, normaliseText }: LabelledSide,
): readonly Segment[] => {
  const resembles = ({ text }: Segment): boolean => {
    const written = normaliseText(text).text;
    return lost.some(
      ({ text: label }) =>
        label.length >= lostLettersMin && isWithinEdits(written, label, lostShareMax * label.length),
    );
  };
  const end = lost.length === 0 ? -1 : rows.findIndex(resembles);
  return end < 0 ? rows : rows.slice(0, end);
};

const awayFrom = ({ place }: ModelField, { rows: [first] }: Candidate): number => {
  if (place === undefined || first === undefined) return 0;
  const { x, y, width, height } = first.box;
  return (
    Math.abs(x + width / 2 - place[0] - place[2] / 2) + Math.abs(y + height / 2 - place[1] - place[3] / 2)
  );
};

/**
 * The readings of a chain of lines, the likeliest first. Words take as many lines as fit, or fewer; every
 * other kind takes the fewest lines that hold a value.
 */
const matchesOf = (
  field: ModelField,
  rows: readonly Segment[],
  conventions: DateConventions,
): readonly Omit<MatchedText, "edits">[] => {
  const from = field.row ?? 0;
  const own = rows.slice(from, from + (field.lines ?? 1));
  const reading = (count: number): readonly Omit<MatchedText, "edits">[] => {
    const segments = own.slice(0, count);
    const typed = readValue(segments.map(({ text }) => text).join(" "), field, conventions);
    return typed === undefined ? [] : [{ segments, typed }];
  };
  const counts = own.map((_, i) => i + 1);
  if (!isWords(field)) {
    return counts.flatMap(reading).slice(0, 1);
  }
  const fitting = own.findIndex(({ text }) => readValue(text, field, conventions) === undefined);
  return counts
    .slice(0, fitting < 0 ? own.length : fitting)
    .reverse()
    .flatMap(reading);
};

/** One text may serve two fields under one label, and each field's part of a line that a reader joined. */
const areExclusive = (a: Option, b: Option): boolean => {
  if (!overlap(a, b)) return false;
  if (isWords(a.field) || isWords(b.field)) return !a.isWhole && !b.isWhole;
  return (
    a.label !== b.label &&
    a.field.format === b.field.format &&
    a.matched.typed.value === b.matched.typed.value
  );
};

const overlap = (a: Option, b: Option): boolean =>
  a.matched.segments.some((one) =>
    b.matched.segments.some((other) => one.line === other.line && shared(one.box, other.box) > 0),
  );

/** Share of the narrower box that lies over the other one. */
const shared = (a: Box, b: Box): number =>
  (Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x)) / Math.min(a.width, b.width);

const isRival = (other: Option, chosen: Option, taken: readonly Option[]): boolean =>
  other.field === chosen.field &&
  other.cost < chosen.cost + costs.rival &&
  other.matched.typed.value !== chosen.matched.typed.value &&
  !overlap(other, chosen) &&
  !taken.some((one) => one !== chosen && overlap(one, other));

/**
 * The same value without its last line. In a table a line without its own label goes on with the value above,
 * or has lost its label.
 */
const isShorter = (other: Option, chosen: Option): boolean =>
  chosen.isInRows &&
  other.field === chosen.field &&
  other.matched.segments.length < chosen.matched.segments.length &&
  other.matched.segments[0] === chosen.matched.segments[0];

/**
 * How many values must show where a side's values stand, and how many times as many as show the contrary. The
 * number is our choice.
 */
const usualMin = 2;
const usualRatio = 2;
/** How many make it firm. */
const firmMin = 3;

/**
 * Where the values of a side are: right of their labels or under them. A label with a text on one of the two
 * sides alone shows it. Undefined where too few do, or both are usual.
 */
const usualPlacement = (labels: readonly Segment[], segments: readonly Segment[]): Usual | undefined => {
  const shown = [...new Set(labels)].flatMap((label) => {
    const placements = new Set(candidatesFor(label, segments, undefined).map(({ placement }) => placement));
    return placements.size === 1 ? [...placements] : [];
  });
  const right = shown.filter((placement) => placement === "right").length;
  const under = shown.length - right;
  const [most, least] = [Math.max(right, under), Math.min(right, under)];
  return most >= usualMin && most > usualRatio * least
    ? { placement: right > under ? "right" : "under", isFirm: most >= firmMin }
    : undefined;
};
