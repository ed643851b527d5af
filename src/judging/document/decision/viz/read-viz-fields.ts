import type { Box } from "#machine/imaging/image";
import type { TextLine } from "../../reading/ocr/text-line.ts";
import { labelWords } from "../generic/label-words.ts";
import { labelsOfNoField } from "../generic/other-labels.ts";
import type { DocumentModels } from "../models/catalogue.ts";
import type { DocumentModel, ModelField } from "../models/document-model.ts";
import { type Assigned, assignValues } from "./assign-values.ts";
import { betweenHeadings, byRuleAlone, placesIn } from "./find-unlabelled.ts";
import { type LabelReader, makeIsKnownLabel } from "./known-labels.ts";
import { normaliseText } from "./normalise-text.ts";
import { datesOfPage } from "./page-dates.ts";
import type { DateConventions } from "./read-value.ts";
import { isNumber, type Segment, spellingsOf, splitLines } from "./segments.ts";
import { splitJoined } from "./split-names.ts";
import type { FieldResult, MatchedText, VizField, VizSide } from "./viz-field.ts";

/** Compares labels, and knows those of all models and the label words of six languages. */
export const labelReaderOf = ({ national, generic }: DocumentModels): LabelReader => {
  const ofModels = [...national, ...generic].flatMap(({ fields, signature }) => [
    ...fields.flatMap(spellings),
    ...(signature?.labels ?? []),
  ]);
  const labels = [...ofModels, ...Object.values(labelWords).flat(), ...labelsOfNoField];
  return { normaliseText, isKnownLabel: makeIsKnownLabel(labels, normaliseText) };
};

/**
 * Reads the model's fields on one side by their printed labels: the value is right of or below the label and
 * fits the field's kind. Without a label, a value is found by the headings around it, or a national number by
 * its rule. `day` (YYYY-MM-DD) is today.
 */
export const readVizFields = (
  model: DocumentModel,
  side: "front" | "back",
  lines: readonly TextLine[],
  day: string,
  reader: LabelReader,
): VizSide => {
  const { monthFirst = false, shortYears = false } = model.dates ?? {};
  const conventions = { day, monthFirst, shortYears };
  const fields = model.fields.filter((field) => field.side === side);
  const segments = segmentsOn(model, side, lines, reader);
  const assigned = assignValues(
    {
      fields,
      labelsOf: (field) => labelsOf(field, segments),
      segments,
      lost: lostLabels(fields, segments).map(reader.normaliseText),
      normaliseText: reader.normaliseText,
    },
    conventions,
  );
  const placesOf = placesIn(lines, reader.normaliseText);
  const used = new Set<Segment>();
  const parts = fields.map((field): FieldResult => {
    const own = assigned.get(field);
    const matched =
      own === undefined
        ? (betweenHeadings(field, rowsBetween(field, fields), placesOf, segments, conventions) ??
          byRuleAlone(field, segments, conventions))
        : "matched" in own
          ? own.matched
          : undefined;
    for (const segment of matched?.segments ?? []) used.add(segment);
    return {
      field,
      found: matched === undefined ? undefined : fieldOf(field, matched),
      isLabelled: labelsOf(field, segments).length > 0,
    };
  });
  const free = segments.filter((segment) => !isUsed(segment, used));
  const isPage = model.type === "PASSPORT";
  return {
    fields: joinParts(splitJoined(isPage ? withDates(parts, free, conventions) : parts)),
    unread: unreadOf(parts, assigned),
    undecided: undecidedOf(assigned),
  };
};

const unreadOf = (
  parts: readonly FieldResult[],
  assigned: ReadonlyMap<ModelField, Assigned>,
): VizSide["unread"] =>
  parts.flatMap(({ field, found, isLabelled }) =>
    found === undefined && !assigned.has(field) && isLabelled ? [field.name] : [],
  );

const undecidedOf = (assigned: ReadonlyMap<ModelField, Assigned>): VizSide["undecided"] =>
  [...assigned].flatMap(([{ name }, own]) =>
    "rivals" in own ? [{ name, candidates: own.rivals.map(({ segments }) => textOf(segments)) }] : [],
  );

/**
 * Text higher than this many times the side's usual text is a mark across it. A number may be large. The
 * number is our choice.
 */
const markRatio = 2.2;

const medianHeight = (lines: readonly TextLine[]): number =>
  lines.map(({ box }) => box.height).toSorted((a, b) => a - b)[Math.floor(lines.length / 2)] ?? 0;

/** The side's lines, split at the labels that the model has on that side. */
const segmentsOn = (
  { fields, signature, identify }: DocumentModel,
  side: "front" | "back",
  lines: readonly TextLine[],
  reader: LabelReader,
): readonly Segment[] => {
  const own = fields.flatMap((field, i) =>
    field.side === side ? spellings(field).map((spelling) => [spelling, i] as const) : [],
  );
  const signed = signature?.side === side ? signature.labels : [];
  const labels = spellingsOf(
    [...own, ...signed.map((spelling) => [spelling, -1] as const)],
    reader.normaliseText,
  );
  const known = new Set(labels.map(({ normalised }) => normalised.text));
  const headings = identify.words
    .flat()
    .map(reader.normaliseText)
    .filter(({ text }) => !known.has(text));
  const heightMax = markRatio * medianHeight(lines);
  // Print has no fillers, so a line with a filler belongs to the MRZ.
  const ofPrint = lines.filter(
    ({ text, box }) => !text.includes("<") && (box.height <= heightMax || isNumber(text)),
  );
  return splitLines(ofPrint, labels, headings, reader);
};

const withDates = (
  parts: readonly FieldResult[],
  free: readonly Segment[],
  conventions: DateConventions,
): readonly FieldResult[] => {
  const dates = datesOfPage(parts, free, conventions);
  return parts.map((part) => {
    const matched = dates.get(part.field);
    return matched === undefined ? part : { ...part, found: fieldOf(part.field, matched) };
  });
};

/**
 * Number of rows that the model has between the same headings. With one row missing the others are ambiguous.
 */
const rowsBetween = ({ neighbours }: ModelField, fields: readonly ModelField[]): number => {
  const same = fields.flatMap((field) =>
    field.neighbours?.after.join() === neighbours?.after.join() ? [field.neighbours?.row ?? 0] : [],
  );
  return Math.max(0, ...same) + 1;
};

/** A field's spellings, and the halves of bilingual ones: a reader may split or miss a half. */
export const spellings = ({ labels }: ModelField): readonly string[] =>
  labels.flatMap((label) => [label, ...(label.includes(" / ") ? label.split(" / ") : [])]);

const labelsOf = (field: ModelField, segments: readonly Segment[]): readonly Segment[] =>
  segments.filter(({ label }) => label !== undefined && spellings(field).includes(label));

/** Labels that every card has and that were not read. */
const lostLabels = (fields: readonly ModelField[], segments: readonly Segment[]): readonly string[] =>
  fields
    .filter((field) => field.printed === "always" && labelsOf(field, segments).length === 0)
    .flatMap(spellings);

const isUsed = (segment: Segment, used: ReadonlySet<Segment>): boolean =>
  [...used].some(({ line, text }) => line === segment.line && text === segment.text);

const textOf = (segments: readonly Segment[]): string => segments.map(({ text }) => text).join(" ");

/** Our choice: a misread label, a repaired digit and a wrong check digit each lower the confidence. */
const factors = { labelEdit: 0.99, repaired: 0.93, broken: 0.85 } as const;

const fieldOf = ({ name, labels }: ModelField, { segments, typed, edits }: MatchedText): VizField => {
  const readConfidence = Math.min(...segments.map(({ confidence }) => confidence));
  const weakened =
    readConfidence *
    factors.labelEdit ** edits *
    (typed.isRepaired ? factors.repaired : 1) *
    (typed.isBroken === true ? factors.broken : 1);
  const [label] = labels;
  return {
    name,
    ...(label === undefined ? {} : { label }),
    value: typed.value,
    raw: textOf(segments),
    // One wrong character in ten passes a check digit.
    confidence: typed.confirmedBy === "check-digit" ? 1 - (1 - weakened) / 10 : weakened,
    readConfidence,
    box: boundingBox(segments.map(({ box }) => box)),
    ...(typed.confirmedBy === undefined ? {} : { confirmedBy: typed.confirmedBy }),
    ...(typed.isBroken === true ? { isBroken: true } : {}),
  };
};

const boundingBox = (boxes: readonly Box[]): Box => {
  const x = Math.min(...boxes.map((box) => box.x));
  const y = Math.min(...boxes.map((box) => box.y));
  const width = Math.max(...boxes.map((box) => box.x + box.width)) - x;
  return { x, y, width, height: Math.max(...boxes.map((box) => box.y + box.height)) - y };
};

/**
 * Fields of one name are parts of one value. Where a part is missing that is always printed, or whose label
 * was read, there is no value.
 */
const joinParts = (parts: readonly FieldResult[]): readonly VizField[] => {
  const names = [...new Set(parts.map(({ field }) => field.name))];
  return names.flatMap((name) => {
    const own = parts.filter(({ field }) => field.name === name);
    const found = own.flatMap((part) => part.found ?? []);
    const isMissing = own.some(
      ({ field, found: part, isLabelled }) =>
        part === undefined && (field.printed === "always" || isLabelled),
    );
    const [first] = found;
    if (first === undefined || (own.length > 1 && isMissing)) {
      return [];
    }
    return [
      {
        ...first,
        value: found.map(({ value }) => value).join(" "),
        raw: found.map(({ raw }) => raw).join(" "),
        confidence: Math.min(...found.map(({ confidence }) => confidence)),
        readConfidence: Math.min(...found.map(({ readConfidence }) => readConfidence)),
        box: boundingBox(found.map(({ box }) => box)),
        ...(found.length > 1 && {
          parts: found.map(({ label, raw, confidence }) => ({
            ...(label !== undefined && { label }),
            raw,
            confidence,
          })),
        }),
      },
    ];
  });
};
