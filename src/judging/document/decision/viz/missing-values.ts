import type { Box } from "#machine/imaging/image";
import type { FindMissingValues, MissingValue } from "../../reading/ocr/missing-values.ts";
import type { TextLine } from "../../reading/ocr/text-line.ts";
import { isWithinEdits } from "../../values/edit-distance.ts";
import type { FieldName } from "../../values/field-name.ts";
import { fold } from "../../values/fold.ts";
import { readSexWord } from "../../values/sex-word.ts";
import { labelWords } from "../generic/label-words.ts";
import type { DocumentModels } from "../models/catalogue.ts";
import { aspect } from "./candidates.ts";
import { editsMaxFor } from "./find-label.ts";
import { normaliseText } from "./normalise-text.ts";
import { spellings } from "./read-viz-fields.ts";

/** A field whose value may be one letter: how the letter reads, and whether another text is a value of it. */
type LetterField = {
  readonly name: FieldName;
  readonly letter: RegExp;
  readonly isValue: (text: string) => boolean;
};

const statusWord = /^(?:[SCVD]$|SOLTER|CASAD|VIUD|DIVORCIAD|SEPARAD|UNID|CONVIVIENTE)/;

/** The look-alikes of a sex are left out: nothing but the place shows that the letter is a value. */
const letterFields: readonly LetterField[] = [
  { name: "sex", letter: /^[MFX]$/, isValue: (text) => readSexWord(text) !== undefined },
  { name: "civilStatus", letter: /^[SCVD]$/, isValue: (text) => statusWord.test(fold(text)) },
];

/** A text of so few characters that is no value may be a letter that was misread: VM for M. */
const misreadMax = 3;

/**
 * Distances and sizes in heights of the label's line. Chosen on drawn cards (docs/measurements/documents.md).
 */
const limits = {
  /** A value right of its label starts between these distances, or in a column up to the last one. */
  near: 0.3,
  nearEnd: 3.5,
  columnEnd: 24,
  /** Rows up to this distance show where columns start. */
  rows: 8,
  /** A letter is this wide with the space around it, and its place starts so much before it. */
  wide: 2.6,
  before: 0.5,
  /** A value under its label: distance of the centres. */
  under: 1.25,
  underMin: 0.6,
  underMax: 2.2,
} as const;

/**
 * Finds labels of a sex or a civil status that stand alone in their line and have no value beside or under
 * them: detectors of text miss single letters.
 */
export const makeFindMissingValues = (models: DocumentModels): FindMissingValues => {
  const known = letterFields.map((field) => {
    const ofModels = [...models.national, ...models.generic]
      .flatMap(({ fields }) => fields.filter(({ name }) => name === field.name))
      .flatMap(spellings);
    const labels = field.name === "sex" ? [...ofModels, ...labelWords.sex] : ofModels;
    return { ...field, labels: [...new Set(labels.map((label) => normaliseText(label).text))] };
  });
  const fieldOf = (line: TextLine): LetterField | undefined => {
    const { text } = normaliseText(line.text);
    return known.find(({ labels }) =>
      labels.some((label) => isWithinEdits(text, label, editsMaxFor(label.length))),
    );
  };
  return (lines) =>
    lines.flatMap((label): readonly MissingValue[] => {
      const field = fieldOf(label);
      if (field === undefined) return [];
      const others = lines.filter((line) => line !== label);
      const found = placesFor(label.box, others).map((box) => ({
        box,
        texts: others.filter((other) => overlap(box, other.box)).map(({ text }) => text),
      }));
      const isFree = found.filter(({ texts }) => texts.every(({ length }) => length <= misreadMax));
      return found.some(({ texts }) => texts.some(field.isValue)) || isFree.length === 0
        ? []
        : [{ places: isFree.map(({ box }) => box), fits: (text) => field.letter.test(text) }];
    });
};

const right = ({ x, width }: Box): number => x + width;
const middle = ({ y, height }: Box): number => y + height / 2;

const overlap = (a: Box, b: Box): boolean =>
  a.x < right(b) &&
  b.x < right(a) &&
  Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y) > 0.3 * Math.min(a.height, b.height);

/** Right of the label, in the column of the values, and under the label. */
const placesFor = (label: Box, others: readonly TextLine[]): readonly Box[] => {
  const unit = label.height / aspect;
  const from = right(label) + limits.near * unit;
  const near = { x: from, y: label.y, width: limits.nearEnd * unit, height: label.height };
  const column = columnOf(label, others);
  const isApart = column !== undefined && column.x > from + (limits.nearEnd - 1) * unit;
  return [near, ...(isApart ? [column] : []), underOf(label, others)];
};

/** The place in the label's row where the texts of two near rows start, right of the label. */
const columnOf = (label: Box, others: readonly TextLine[]): Box | undefined => {
  const unit = label.height / aspect;
  const apart = ({ box }: TextLine): number => Math.abs(middle(box) - middle(label));
  const starts = others
    .filter(({ box }) => box.x > right(label) && box.x <= right(label) + limits.columnEnd * unit)
    .filter((line) => apart(line) > label.height / 2 && apart(line) <= limits.rows * label.height)
    .map(({ box }) => box);
  const column = starts
    .filter((box) => starts.some((other) => other !== box && Math.abs(other.x - box.x) <= unit / 2))
    .sort((a, b) => a.x - b.x)[0];
  return column && letterAt(column.x, middle(label), Math.max(label.height, column.height));
};

/** The place under the label, at the height of the texts beside it. */
const underOf = (label: Box, others: readonly TextLine[]): Box => {
  const [beside] = others
    .filter(({ box }) => {
      const down = (middle(box) - middle(label)) / label.height;
      return down >= limits.underMin && down <= limits.underMax;
    })
    .sort((a, b) => Math.abs(a.box.x - label.x) - Math.abs(b.box.x - label.x));
  return beside === undefined
    ? letterAt(label.x, middle(label) + limits.under * label.height, label.height)
    : letterAt(label.x, middle(beside.box), Math.max(label.height, beside.box.height));
};

const letterAt = (x: number, centre: number, height: number): Box => ({
  x: x - (limits.before * height) / aspect,
  y: centre - height / 2,
  width: (limits.wide * height) / aspect,
  height,
});
