import type { Box } from "#machine/imaging/image";
import type { TextLine } from "../../reading/ocr/text-line.ts";
import { isWithinEdits } from "../../values/edit-distance.ts";
import { editsMaxFor, findLabel } from "./find-label.ts";
import type { LabelReader } from "./known-labels.ts";
import type { NormalisedText, NormaliseText } from "./normalise-text.ts";

/** A part of a printed line: a label of the model, or the text beside labels. */
export type Segment = {
  readonly text: string;
  readonly box: Box;
  readonly confidence: number;
  /** Number of its line, and its place in it. */
  readonly line: number;
  readonly order: number;
  /** The model's spelling of the label; absent for other text. */
  readonly label?: string;
  readonly edits: number;
};

/** The label of text that belongs to no field of the model: a heading, or a label of another model. */
export const labelOfNoField = "";

/**
 * A label's spelling, with its normalised form. `of` is its owner: two spellings of one owner are one label
 * where they are adjacent.
 */
export type Spelling = {
  readonly spelling: string;
  readonly normalised: NormalisedText;
  readonly of: string;
};

/** Spellings with their owners, each spelling once. */
export const spellingsOf = (
  labels: readonly (readonly [spelling: string, owner: number])[],
  normaliseText: NormaliseText,
): readonly Spelling[] => {
  const owners = Map.groupBy(labels, ([spelling]) => spelling);
  return [...owners].map(([spelling, own]) => ({
    spelling,
    normalised: normaliseText(spelling),
    of: own.map(([, owner]) => owner).join(" "),
  }));
};

/**
 * Splits every line into labels and other text. Of a line that is one of the `headings`, only its numbers
 * remain. A line that is a label of another model, alone or before a colon, is a label of no field: 'Nombre
 * del padre' is not 'Nombre'.
 */
export const splitLines = (
  lines: readonly TextLine[],
  labels: readonly Spelling[],
  headings: readonly NormalisedText[],
  { normaliseText, isKnownLabel }: LabelReader,
): readonly Segment[] =>
  lines.flatMap((line, i) => {
    const normalised = normaliseText(line.text);
    const found = labelsIn(normalised, labels);
    if (!isNumber(line.text) && isForeign(line.text, labels, { normaliseText, isKnownLabel })) {
      return segmentsOf(line, i, [
        { from: 0, to: line.text.length, label: labelOfNoField, of: "", edits: 0 },
      ]);
    }
    const heading = headings
      .flatMap((words) => {
        const span = findLabel(normalised, words);
        const score = scoreOf(words.text.length, span?.edits ?? 0);
        return span === undefined || score < (found[0]?.score ?? 0)
          ? []
          : [{ ...span, label: labelOfNoField, of: "" }];
      })
      .at(0);
    return heading === undefined
      ? segmentsOf(
          line,
          i,
          joinHalves(line.text, withoutOverlaps(found), findUnreadHalf(labels, normaliseText)),
        )
      : segmentsOf(line, i, [heading]).filter(({ label, text }) => label === undefined && isNumber(text));
  });

const isForeign = (
  text: string,
  labels: readonly Spelling[],
  { normaliseText, isKnownLabel }: LabelReader,
): boolean => {
  const [before = ""] = text.split(":");
  const isOwn = [before, ...before.split("/")].some((part) => {
    const written = normaliseText(part);
    return labels.some(({ normalised }) => {
      const found = findLabel(written, normalised);
      return (
        found !== undefined &&
        isWithinEdits(written.text, normalised.text, editsMaxFor(normalised.text.length))
      );
    });
  });
  return !isOwn && isKnownLabel(before);
};

/** Whether a text has at least the five digits of the shortest national number. */
export const isNumber = (text: string): boolean => text.replaceAll(/\D/g, "").length >= 5;

type Span = {
  readonly from: number;
  readonly to: number;
  readonly label: string;
  readonly of: string;
  readonly edits: number;
};

/** A wrong letter outweighs three correct ones: NACIMIENTO is three wrong letters from VENCIMIENTO. */
const scoreOf = (length: number, edits: number): number => length - 3 * edits;

/** Every label that the line may contain, the likeliest first. */
const labelsIn = (line: NormalisedText, labels: readonly Spelling[]) =>
  labels
    .flatMap(({ spelling, normalised, of }) => {
      const span = findLabel(line, normalised);
      const score = scoreOf(normalised.text.length, span?.edits ?? 0);
      return span === undefined ? [] : [{ ...span, label: spelling, of, score }];
    })
    .sort((a, b) => b.score - a.score);

/** The labels that do not overlap a likelier one, from the left. */
const withoutOverlaps = (found: readonly Span[]): readonly Span[] => {
  const spans: Span[] = [];
  for (const span of found) {
    if (!spans.some(({ from, to }) => span.from < to && from < span.to)) {
      spans.push(span);
    }
  }
  return spans.sort((a, b) => a.from - b.from);
};

/** Number of leading characters of `rest` that belong to an unread half of a label in two languages. */
type UnreadHalf = (rest: string, span: Span) => number;

/**
 * Share of letters that may be wrong in a half of a label whose other half was read. The number is our
 * choice.
 */
const wrongShareMax = 0.4;
const halfLettersMin = 6;

/**
 * The text after a slash. After a single letter (a misread slash), the text where it resembles the label's
 * other half.
 */
const findUnreadHalf =
  (labels: readonly Spelling[], normaliseText: NormaliseText): UnreadHalf =>
  (rest, { of }) => {
    const slashed = /^\s*\/[^\d]*$/u.exec(rest);
    if (slashed !== null) return slashed[0].length;
    const half = /^\s*\p{L}\s+(\D{1,40})$/u.exec(rest)?.[1];
    if (half === undefined) return 0;
    const written = normaliseText(half).text;
    const isHalf = labels.some(({ normalised: { text }, of: owner }) => {
      const isLong = owner === of && text.length >= halfLettersMin;
      return isLong && isWithinEdits(written, text, wrongShareMax * text.length);
    });
    return isHalf ? rest.length : 0;
  };

/** A label in two languages is one label: its halves are joined, and an unread half belongs to the other. */
const joinHalves = (text: string, spans: readonly Span[], unread: UnreadHalf): readonly Span[] => {
  const joined: Span[] = [];
  for (const span of spans) {
    const last = joined.at(-1);
    if (last?.of === span.of && !/[\p{L}\d]/u.test(text.slice(last.to, span.from))) {
      joined[joined.length - 1] = { ...last, to: span.to, edits: Math.min(last.edits, span.edits) };
    } else {
      joined.push(span);
    }
  }
  return joined.map((span, i) => ({
    ...span,
    from: span.from - (/[^\d]*\/\s*$/u.exec(text.slice(joined[i - 1]?.to ?? 0, span.from))?.[0].length ?? 0),
    to: span.to + unread(text.slice(span.to, joined[i + 1]?.from), span),
  }));
};

const segmentsOf = (line: TextLine, number: number, spans: readonly Span[]): readonly Segment[] => {
  const segments: Segment[] = [];
  const add = (from: number, to: number, span?: Span): void => {
    const text = line.text.slice(from, to);
    const start = from + text.search(/[\p{L}\d]/u);
    const bare = span === undefined ? text.slice(start - from).replace(/[\s:;,\-–—/|]+$/u, "") : text;
    if (/[\p{L}\d]/u.test(text)) {
      const begins = span === undefined ? start : from;
      segments.push({
        text: bare,
        box: partOf(line, begins, begins + bare.length),
        confidence: line.confidence,
        line: number,
        order: segments.length,
        edits: span?.edits ?? 0,
        ...(span === undefined ? {} : { label: span.label }),
      });
    }
  };
  let at = 0;
  for (const span of spans) {
    add(at, span.from);
    add(span.from, span.to, span);
    at = span.to;
  }
  add(at, line.text.length);
  return segments;
};

/** The box of some characters of a line, as if all characters were equally wide. */
const partOf = ({ text, box }: TextLine, from: number, to: number): Box => ({
  x: box.x + (box.width * from) / text.length,
  y: box.y,
  width: (box.width * (to - from)) / text.length,
  height: box.height,
});

/** The words of a segment that begin between two x coordinates. */
export const wordsBetween = (segment: Segment, left: number, right: number): Segment | undefined => {
  const words = [...segment.text.matchAll(/\S+/g)].filter(({ index }) => {
    const x = segment.box.x + (segment.box.width * index) / segment.text.length;
    return x >= left && x < right;
  });
  const [first, last] = [words[0], words.at(-1)];
  if (first === undefined || last === undefined) {
    return undefined;
  }
  const [from, to] = [first.index, last.index + last[0].length];
  return { ...segment, text: segment.text.slice(from, to), box: partOf({ ...segment }, from, to) };
};
