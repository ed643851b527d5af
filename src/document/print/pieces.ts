import type { Box } from "#imaging/image";
import { isWithinEdits } from "../text/edit-distance.ts";
import type { TextLine } from "../text/text-line.ts";
import { findLabel } from "./find-label.ts";
import type { Letters, LettersOf } from "./letters.ts";

/** A part of a printed line: a label of the model, or what stands beside labels. */
export type Piece = {
  readonly text: string;
  readonly box: Box;
  readonly confidence: number;
  /** Number of its line, and its place in it. */
  readonly line: number;
  readonly order: number;
  /** The spelling that it is, as the model has it. */
  readonly label?: string;
  readonly edits: number;
};

/** A spelling with its letters; `of` tells whose it is: two spellings of one thing are one label where they stand together. */
export type Spelling = { readonly spelling: string; readonly letters: Letters; readonly of: string };

/** Spellings with those that they belong to, each spelling once. */
export const spellingsOf = (
  labels: readonly (readonly [spelling: string, owner: number])[],
  lettersOf: LettersOf,
): readonly Spelling[] => {
  const owners = Map.groupBy(labels, ([spelling]) => spelling);
  return [...owners].map(([spelling, own]) => ({
    spelling,
    letters: lettersOf(spelling),
    of: own.map(([, owner]) => owner).join(" "),
  }));
};

/** Parts every line into labels and the rest. Of a line that is one of the `headings` rather than a label, its figures remain. */
export const piecesOf = (
  lines: readonly TextLine[],
  labels: readonly Spelling[],
  headings: readonly Letters[],
  lettersOf: LettersOf,
): readonly Piece[] =>
  lines.flatMap((line, i) => {
    const letters = lettersOf(line.text);
    const found = foundIn(letters, labels);
    const heading = headings
      .flatMap((words) => {
        const span = findLabel(letters, words);
        const worth = worthOf(words.text.length, span?.edits ?? 0);
        return span === undefined || worth < (found[0]?.worth ?? 0) ? [] : [{ ...span, label: "", of: "" }];
      })
      .at(0);
    return heading === undefined
      ? cut(line, i, joinHalves(line.text, apart(found), unreadHalf(labels, lettersOf)))
      : cut(line, i, [heading]).filter(({ label, text }) => label === undefined && isNumber(text));
  });

/** As many figures as the shortest national number has. */
const isNumber = (text: string): boolean => text.replaceAll(/\D/g, "").length >= 5;

type Span = {
  readonly from: number;
  readonly to: number;
  readonly label: string;
  readonly of: string;
  readonly edits: number;
};

/** A wrong letter weighs three right ones: NACIMIENTO is three wrong letters from VENCIMIENTO. */
const worthOf = (length: number, edits: number): number => length - 3 * edits;

/** Every label that the line may hold, the likeliest first. */
const foundIn = (line: Letters, labels: readonly Spelling[]) =>
  labels
    .flatMap(({ spelling, letters, of }) => {
      const span = findLabel(line, letters);
      const worth = worthOf(letters.text.length, span?.edits ?? 0);
      return span === undefined ? [] : [{ ...span, label: spelling, of, worth }];
    })
    .sort((a, b) => b.worth - a.worth);

/** Those that do not overlap a likelier one, from the left. */
const apart = (found: readonly Span[]): readonly Span[] => {
  const spans: Span[] = [];
  for (const span of found) {
    if (!spans.some(({ from, to }) => span.from < to && from < span.to)) {
      spans.push(span);
    }
  }
  return spans.sort((a, b) => a.from - b.from);
};

/** How many characters from here on are the unread rest of a label in two languages. */
type UnreadHalf = (rest: string, span: Span) => number;

/** Letters of a half that may be wrong where it is one of its label's and the other was read. Chosen. */
const wrongShareMax = 0.4;
const halfLettersMin = 6;

/** What follows a slash, and what follows one letter that a slash was taken for where it is much like the label's other half. */
const unreadHalf =
  (labels: readonly Spelling[], lettersOf: LettersOf): UnreadHalf =>
  (rest, { of }) => {
    const slashed = /^\s*\/[^\d]*$/u.exec(rest);
    if (slashed !== null) return slashed[0].length;
    const half = /^\s*\p{L}\s+(\D{1,40})$/u.exec(rest)?.[1];
    if (half === undefined) return 0;
    const written = lettersOf(half).text;
    const isHalf = labels.some(({ letters: { text }, of: owner }) => {
      const isLong = owner === of && text.length >= halfLettersMin;
      return isLong && isWithinEdits(written, text, wrongShareMax * text.length);
    });
    return isHalf ? rest.length : 0;
  };

/** A label in two languages is one label: its halves are joined, and one that was not read belongs to the other. */
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

const cut = (line: TextLine, number: number, spans: readonly Span[]): readonly Piece[] => {
  const pieces: Piece[] = [];
  const add = (from: number, to: number, span?: Span): void => {
    const text = line.text.slice(from, to);
    const start = from + text.search(/[\p{L}\d]/u);
    const bare = span === undefined ? text.slice(start - from).replace(/[\s:;,\-–—/|]+$/u, "") : text;
    if (/[\p{L}\d]/u.test(text)) {
      const begins = span === undefined ? start : from;
      pieces.push({
        text: bare,
        box: partOf(line, begins, begins + bare.length),
        confidence: line.confidence,
        line: number,
        order: pieces.length,
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
  return pieces;
};

/** Where characters of a line stand, as if all were equally wide. */
const partOf = ({ text, box }: TextLine, from: number, to: number): Box => ({
  x: box.x + (box.width * from) / text.length,
  y: box.y,
  width: (box.width * (to - from)) / text.length,
  height: box.height,
});

/** The words of a piece that begin between two places across the side. */
export const wordsBetween = (piece: Piece, left: number, right: number): Piece | undefined => {
  const words = [...piece.text.matchAll(/\S+/g)].filter(({ index }) => {
    const x = piece.box.x + (piece.box.width * index) / piece.text.length;
    return x >= left && x < right;
  });
  const [first, last] = [words[0], words.at(-1)];
  if (first === undefined || last === undefined) {
    return undefined;
  }
  const [from, to] = [first.index, last.index + last[0].length];
  return { ...piece, text: piece.text.slice(from, to), box: partOf({ ...piece }, from, to) };
};
