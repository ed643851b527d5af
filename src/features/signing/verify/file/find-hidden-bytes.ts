import { isWhiteSpace } from "../../pdf/bytes.ts";
import { PdfError } from "../../pdf/damaged.ts";
import type { View } from "../../pdf/reader/open-view.ts";
import { type Cursor, parseValue, skipSpace, tryCount, tryWord } from "../../pdf/reader/parse-value.ts";
import { readObjectAt } from "../../pdf/reader/read-object.ts";
import { tryRead } from "../../pdf/steps.ts";

const percent = 0x25;
const endMark = Buffer.from("%%EOF");

/**
 * The offset of the first bytes behind `from`, the end of a state, that belong to no update of the file (ISO
 * 32000-2, 7.5.6); undefined where there are none. Readers that repair a file would read such bytes
 * (incremental saving attack: Mladenov and others, CCS 2019, 4.2). A comment directly behind an end mark
 * belongs to none. One between the objects of an update does: writers put their names there.
 */
export const findHiddenBytes = (view: View, from: number): number | undefined => {
  const { bytes, starts } = view;
  const hasUpdate = starts.some((start) => start >= from);
  const cursor: Cursor = { bytes, steps: view.steps, at: from };
  let isBehindMark = true;
  for (;;) {
    const before = cursor.at;
    while (isWhiteSpace(bytes[cursor.at])) cursor.at++;
    view.steps.take(1 + cursor.at - before);
    if (cursor.at >= bytes.length) return undefined;
    if (!hasUpdate || (isBehindMark && bytes[cursor.at] === percent)) return cursor.at;
    skipSpace(cursor);
    const { at } = cursor;
    const part = tryPart(view, cursor);
    if (part === undefined) return at;
    isBehindMark = part === "end mark";
  }
};

type Part = "end mark" | "section" | "object";

/** Passes one object, section or end mark; undefined where something else stands. */
const tryPart = (view: View, cursor: Cursor): Part | undefined => {
  const { at } = cursor;
  return tryRead(view.steps, PdfError, () => {
    if (tryWord(cursor, "xref")) return passTable(view, cursor, at) ? "section" : undefined;
    if (tryWord(cursor, "startxref")) return passEndMark(cursor) ? "end mark" : undefined;
    if (tryWord(cursor, "endobj")) return "object";
    if (!view.named.has(at)) return undefined;
    cursor.at = readObjectAt(view.bytes, at, view.steps, (number) => {
      const value = view.load(number);
      return value.kind === "number" ? value.value : undefined;
    }).end;
    return "object";
  });
};

/** The offset of a section, and the mark itself. */
const passEndMark = (cursor: Cursor): boolean => {
  skipSpace(cursor);
  const hasOffset = tryCount(cursor) !== undefined;
  while (isWhiteSpace(cursor.bytes[cursor.at])) cursor.at++;
  const isMark = endMark.every((byte, index) => cursor.bytes[cursor.at + index] === byte);
  cursor.at += endMark.length;
  return hasOffset && isMark;
};

const passTable = (view: View, cursor: Cursor, at: number): boolean => {
  if (!view.named.has(at)) return false;
  for (;;) {
    skipSpace(cursor);
    if (tryWord(cursor, "trailer")) break;
    if (tryCount(cursor) === undefined && !tryWord(cursor, "n") && !tryWord(cursor, "f")) return false;
  }
  parseValue(cursor);
  return true;
};
