import type { Box } from "#imaging/image";
import type { TextLine } from "../../reading/ocr/text-line.ts";
import type { FieldName } from "../../values/field-name.ts";
import type { DocumentModel, ModelField } from "../models/document-model.ts";
import { type Candidate, candidatesFor } from "./candidates.ts";
import { betweenHeadings, byRuleAlone, placesIn } from "./find-unlabelled.ts";
import type { NormaliseText } from "./normalise-text.ts";
import { datesOfPage } from "./page-dates.ts";
import { type DateConventions, readValue } from "./read-value.ts";
import { type Segment, spellingsOf, splitLines } from "./segments.ts";
import { splitJoined } from "./split-names.ts";
import type { FieldResult, MatchedText, VizField, VizSide } from "./viz-field.ts";

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
  normaliseText: NormaliseText,
): VizSide => {
  const { monthFirst = false, shortYears = false } = model.dates ?? {};
  const conventions = { day, monthFirst, shortYears };
  const fields = model.fields.filter((field) => field.side === side);
  const segments = segmentsOn(model, side, lines, normaliseText);
  const used = new Set<Segment>();
  const unread: FieldName[] = [];
  const parts = fields.flatMap((field) => {
    const hasLabel = labelsOf(field, segments).length > 0;
    const matched =
      byLabel(field, segments, used, conventions) ??
      betweenHeadings(
        field,
        rowsBetween(field, fields),
        placesIn(lines, normaliseText),
        segments,
        conventions,
      ) ??
      byRuleAlone(field, segments, conventions);
    for (const segment of matched?.segments ?? []) used.add(segment);
    if (matched === undefined && hasLabel) {
      unread.push(field.name);
    }
    return [{ field, found: matched === undefined ? undefined : fieldOf(field, matched) }];
  });
  const free = segments.filter((segment) => !isUsed(segment, used));
  const isPage = model.type === "PASSPORT";
  return { fields: joinParts(splitJoined(isPage ? withDates(parts, free, conventions) : parts)), unread };
};

/** The side's lines, split at the labels that the model has on that side. */
const segmentsOn = (
  { fields, signature, identify }: DocumentModel,
  side: "front" | "back",
  lines: readonly TextLine[],
  normaliseText: NormaliseText,
): readonly Segment[] => {
  const own = fields.flatMap((field, i) =>
    field.side === side ? spellings(field).map((spelling) => [spelling, i] as const) : [],
  );
  const signed = signature?.side === side ? signature.labels : [];
  const labels = spellingsOf([...own, ...signed.map((spelling) => [spelling, -1] as const)], normaliseText);
  const known = new Set(labels.map(({ normalised }) => normalised.text));
  const headings = identify.words
    .flat()
    .map(normaliseText)
    .filter(({ text }) => !known.has(text));
  // Print has no fillers: a line with one is of the MRZ.
  const ofPrint = lines.filter(({ text }) => !text.includes("<"));
  return splitLines(ofPrint, labels, headings, normaliseText);
};

const withDates = (
  parts: readonly FieldResult[],
  free: readonly Segment[],
  conventions: DateConventions,
): readonly FieldResult[] => {
  const dates = datesOfPage(parts, free, conventions);
  return parts.map((part) => {
    const matched = dates.get(part.field);
    return matched === undefined ? part : { field: part.field, found: fieldOf(part.field, matched) };
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

type PlacedCandidate = { readonly label: Segment; readonly candidate: Candidate };

const byLabel = (
  field: ModelField,
  segments: readonly Segment[],
  used: ReadonlySet<Segment>,
  conventions: DateConventions,
): MatchedText | undefined => {
  const placed = labelsOf(field, segments)
    .flatMap((label) => candidatesFor(label, segments).map((candidate) => ({ label, candidate })))
    .filter(({ candidate }) => !candidate.isWhole || !isWords(field))
    .sort((a, b) => costOf(a, field) - costOf(b, field));
  const readings = placed.flatMap(({ label, candidate }) => {
    const matched = matchRows(field, candidate.rows, used, conventions);
    return matched === undefined ? [] : [{ ...matched, edits: label.edits }];
  });
  return readings.find(({ typed }) => typed.isBroken !== true) ?? readings[0];
};

/** Distance to the label first. The model's place only breaks ties. */
const costOf = ({ label, candidate }: PlacedCandidate, { place }: ModelField): number => {
  const box = candidate.rows[0]!.box;
  const away =
    place === undefined
      ? 0
      : Math.abs(box.x + box.width / 2 - place[0] - place[2] / 2) +
        Math.abs(box.y + box.height / 2 - place[1] - place[3] / 2);
  return candidate.cost + label.edits * 0.2 + away * 0.05;
};

const isWords = ({ format }: ModelField): boolean => format === "name" || format === "text";

const matchRows = (
  field: ModelField,
  rows: readonly Segment[],
  used: ReadonlySet<Segment>,
  conventions: DateConventions,
): Omit<MatchedText, "edits"> | undefined => {
  const from = field.row ?? 0;
  const own = rows.slice(from, from + (field.lines ?? 1));
  if (!isWords(field)) {
    return firstReading(field, own, conventions);
  }
  const fitting = own.findIndex(
    (segment) => isUsed(segment, used) || readValue(segment.text, field, conventions) === undefined,
  );
  const segments = fitting < 0 ? own : own.slice(0, fitting);
  const typed = segments.length === 0 ? undefined : readValue(textOf(segments), field, conventions);
  return typed === undefined ? undefined : { segments, typed };
};

const isUsed = (segment: Segment, used: ReadonlySet<Segment>): boolean =>
  [...used].some(({ line, text }) => line === segment.line && text === segment.text);

/** The fewest rows that contain a value of the kind. */
const firstReading = (
  field: ModelField,
  rows: readonly Segment[],
  conventions: DateConventions,
): Omit<MatchedText, "edits"> | undefined => {
  for (let count = 1; count <= rows.length; count++) {
    const segments = rows.slice(0, count);
    const typed = readValue(textOf(segments), field, conventions);
    if (typed !== undefined) {
      return { segments, typed };
    }
  }
  return undefined;
};

const textOf = (segments: readonly Segment[]): string => segments.map(({ text }) => text).join(" ");

/** Chosen: a misread label, a repaired digit and a wrong check digit each lower the confidence. */
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
 * Fields of one name are parts of one value. Where a part is missing that is always printed, there is no
 * value.
 */
const joinParts = (parts: readonly FieldResult[]): readonly VizField[] => {
  const names = [...new Set(parts.map(({ field }) => field.name))];
  return names.flatMap((name) => {
    const own = parts.filter(({ field }) => field.name === name);
    const found = own.flatMap((part) => part.found ?? []);
    const isMissing = own.some((part) => part.found === undefined && part.field.printed === "always");
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
