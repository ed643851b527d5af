import type { Box } from "#imaging/image";
import type { FieldName } from "../field-name.ts";
import type { DocumentModel, ModelField } from "../models/document-model.ts";
import type { TextLine } from "../text/text-line.ts";
import { type Candidate, candidatesFor } from "./candidates.ts";
import { betweenHeadings, byRuleAlone, placesIn } from "./find-unlabelled.ts";
import type { LettersOf } from "./letters.ts";
import { datesOfPage } from "./page-dates.ts";
import { type Piece, piecesOf, spellingsOf } from "./pieces.ts";
import { type Printing, type ReadConfirmation, readValue, type TypedValue } from "./read-value.ts";
import { type Part, splitJoined } from "./split-names.ts";

/** What a card prints for a field, with where and how surely it was read. */
export type PrintedField = {
  readonly name: FieldName;
  /** The first spelling of its label; absent where it has none. */
  readonly label?: string;
  readonly value: string;
  /** As it was read, lines parted by a blank. */
  readonly raw: string;
  /** 0…1, with what confirms the value. */
  readonly confidence: number;
  /** 0…1, of the reader alone. */
  readonly readConfidence: number;
  readonly box: Box;
  readonly confirmedBy?: ReadConfirmation;
  /** A national number whose check digit is wrong. */
  readonly isBroken?: boolean;
  /** Of a value that stands in parts under labels of their own: each, in their order. */
  readonly parts?: readonly Pick<PrintedField, "label" | "raw" | "confidence">[];
};

/** Fields of a side, and those whose label is there while no value of their kind stands at it. */
export type PrintedSide = {
  readonly fields: readonly PrintedField[];
  readonly unread: readonly FieldName[];
};

/** A text that was taken for a field. */
export type Taken = { readonly pieces: readonly Piece[]; readonly typed: TypedValue; readonly edits: number };

/**
 * The model's fields on one side by their printed labels: the value stands right of the label or under it and fits the
 * field's kind. Without a label: by the headings around it, or a national number by its rule. `day` (YYYY-MM-DD) is today.
 */
export const readPrintedFields = (
  model: DocumentModel,
  side: "front" | "back",
  lines: readonly TextLine[],
  day: string,
  lettersOf: LettersOf,
): PrintedSide => {
  const { monthFirst = false, shortYears = false } = model.dates ?? {};
  const printing = { day, monthFirst, shortYears };
  const fields = model.fields.filter((field) => field.side === side);
  const pieces = piecesOn(model, side, lines, lettersOf);
  const used = new Set<Piece>();
  const unread: FieldName[] = [];
  const parts = fields.flatMap((field) => {
    const hasLabel = labelsOf(field, pieces).length > 0;
    const taken =
      byLabel(field, pieces, used, printing) ??
      betweenHeadings(field, rowsBetween(field, fields), placesIn(lines, lettersOf), pieces, printing) ??
      byRuleAlone(field, pieces, printing);
    for (const piece of taken?.pieces ?? []) used.add(piece);
    if (taken === undefined && hasLabel) {
      unread.push(field.name);
    }
    return [{ field, found: taken === undefined ? undefined : fieldOf(field, taken) }];
  });
  const free = pieces.filter((piece) => !isUsed(piece, used));
  const isPage = model.type === "PASSPORT";
  return { fields: joinParts(splitJoined(isPage ? withDates(parts, free, printing) : parts)), unread };
};

/** The side's lines, parted by the labels that the model has there. */
const piecesOn = (
  { fields, signature, identify }: DocumentModel,
  side: "front" | "back",
  lines: readonly TextLine[],
  lettersOf: LettersOf,
): readonly Piece[] => {
  const own = fields.flatMap((field, i) =>
    field.side === side ? spellings(field).map((spelling) => [spelling, i] as const) : [],
  );
  const signed = signature?.side === side ? signature.labels : [];
  const labels = spellingsOf([...own, ...signed.map((spelling) => [spelling, -1] as const)], lettersOf);
  const known = new Set(labels.map(({ letters }) => letters.text));
  const headings = identify.words
    .flat()
    .map(lettersOf)
    .filter(({ text }) => !known.has(text));
  return piecesOf(lines, labels, headings, lettersOf);
};

const withDates = (parts: readonly Part[], free: readonly Piece[], printing: Printing): readonly Part[] => {
  const dates = datesOfPage(parts, free, printing);
  return parts.map((part) => {
    const taken = dates.get(part.field);
    return taken === undefined ? part : { field: part.field, found: fieldOf(part.field, taken) };
  });
};

/** How many rows the model has between the same headings: with one of them missing nobody knows which is which. */
const rowsBetween = ({ neighbours }: ModelField, fields: readonly ModelField[]): number => {
  const same = fields.flatMap((field) =>
    field.neighbours?.after.join() === neighbours?.after.join() ? [field.neighbours?.row ?? 0] : [],
  );
  return Math.max(0, ...same) + 1;
};

/** A field's spellings, and the halves of those in two languages: a reader may part or lose one. */
export const spellings = ({ labels }: ModelField): readonly string[] =>
  labels.flatMap((label) => [label, ...(label.includes(" / ") ? label.split(" / ") : [])]);

const labelsOf = (field: ModelField, pieces: readonly Piece[]): readonly Piece[] =>
  pieces.filter(({ label }) => label !== undefined && spellings(field).includes(label));

type Placed = { readonly label: Piece; readonly candidate: Candidate };

const byLabel = (
  field: ModelField,
  pieces: readonly Piece[],
  used: ReadonlySet<Piece>,
  printing: Printing,
): Taken | undefined => {
  const placed = labelsOf(field, pieces)
    .flatMap((label) => candidatesFor(label, pieces).map((candidate) => ({ label, candidate })))
    .filter(({ candidate }) => !candidate.isWhole || !isWords(field))
    .sort((a, b) => costOf(a, field) - costOf(b, field));
  const readings = placed.flatMap(({ label, candidate }) => {
    const taken = takeRows(field, candidate.rows, used, printing);
    return taken === undefined ? [] : [{ ...taken, edits: label.edits }];
  });
  return readings.find(({ typed }) => typed.isBroken !== true) ?? readings[0];
};

/** Near the label first; a place that the model gives only breaks ties. */
const costOf = ({ label, candidate }: Placed, { place }: ModelField): number => {
  const box = candidate.rows[0]!.box;
  const away =
    place === undefined
      ? 0
      : Math.abs(box.x + box.width / 2 - place[0] - place[2] / 2) +
        Math.abs(box.y + box.height / 2 - place[1] - place[3] / 2);
  return candidate.cost + label.edits * 0.2 + away * 0.05;
};

const isWords = ({ format }: ModelField): boolean => format === "name" || format === "text";

const takeRows = (
  field: ModelField,
  rows: readonly Piece[],
  used: ReadonlySet<Piece>,
  printing: Printing,
): Omit<Taken, "edits"> | undefined => {
  const from = field.row ?? 0;
  const own = rows.slice(from, from + (field.lines ?? 1));
  if (!isWords(field)) {
    return firstReading(field, own, printing);
  }
  const fitting = own.findIndex(
    (piece) => isUsed(piece, used) || readValue(piece.text, field, printing) === undefined,
  );
  const pieces = fitting < 0 ? own : own.slice(0, fitting);
  const typed = pieces.length === 0 ? undefined : readValue(textOf(pieces), field, printing);
  return typed === undefined ? undefined : { pieces, typed };
};

const isUsed = (piece: Piece, used: ReadonlySet<Piece>): boolean =>
  [...used].some(({ line, text }) => line === piece.line && text === piece.text);

/** The fewest rows in which a value of the kind stands. */
const firstReading = (
  field: ModelField,
  rows: readonly Piece[],
  printing: Printing,
): Omit<Taken, "edits"> | undefined => {
  for (let count = 1; count <= rows.length; count++) {
    const pieces = rows.slice(0, count);
    const typed = readValue(textOf(pieces), field, printing);
    if (typed !== undefined) {
      return { pieces, typed };
    }
  }
  return undefined;
};

const textOf = (pieces: readonly Piece[]): string => pieces.map(({ text }) => text).join(" ");

/** Chosen: a misread label, a repaired figure and a wrong check digit each make a value less sure. */
const factors = { labelEdit: 0.99, repaired: 0.93, broken: 0.85 } as const;

const fieldOf = ({ name, labels }: ModelField, { pieces, typed, edits }: Taken): PrintedField => {
  const readConfidence = Math.min(...pieces.map(({ confidence }) => confidence));
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
    raw: textOf(pieces),
    // One wrong character in ten passes a check digit.
    confidence: typed.confirmedBy === "check-digit" ? 1 - (1 - weakened) / 10 : weakened,
    readConfidence,
    box: around(pieces.map(({ box }) => box)),
    ...(typed.confirmedBy === undefined ? {} : { confirmedBy: typed.confirmedBy }),
    ...(typed.isBroken === true ? { isBroken: true } : {}),
  };
};

const around = (boxes: readonly Box[]): Box => {
  const x = Math.min(...boxes.map((box) => box.x));
  const y = Math.min(...boxes.map((box) => box.y));
  const width = Math.max(...boxes.map((box) => box.x + box.width)) - x;
  return { x, y, width, height: Math.max(...boxes.map((box) => box.y + box.height)) - y };
};

/** Fields of one name are parts of one value; where one that is always printed is missing, nothing is answered. */
const joinParts = (parts: readonly Part[]): readonly PrintedField[] => {
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
        box: around(found.map(({ box }) => box)),
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
