import type { View } from "./open-view.ts";
import { type Cursor, parseValue, skipSpace, tryCount, tryWord } from "./parse-value.ts";
import { PdfError } from "./pdf-value.ts";
import { readObjectAt } from "./read-object.ts";

/**
 * The offset of the first bytes behind `from` that belong to no named object and no section; undefined where there are none. Readers
 * that repair a file would read such bytes (incremental saving attack: Mladenov and others, CCS 2019, 4.2).
 */
export const findHiddenBytes = (view: View, from: number): number | undefined => {
  const cursor: Cursor = { bytes: view.bytes, at: from };
  for (;;) {
    skipSpace(cursor);
    const { at } = cursor;
    if (at >= view.bytes.length) return undefined;
    if (!tryPart(view, cursor)) return at;
  }
};

/** Passes one object, table, trailer or end mark; false where something else stands. */
const tryPart = (view: View, cursor: Cursor): boolean => {
  const { at } = cursor;
  try {
    if (tryWord(cursor, "xref")) return passTable(view, cursor, at);
    if (tryWord(cursor, "startxref")) {
      skipSpace(cursor);
      return tryCount(cursor) !== undefined;
    }
    if (tryWord(cursor, "endobj")) return true;
    if (!view.named.has(at)) return false;
    cursor.at = readObjectAt(view.bytes, at, (number) => {
      const value = view.load(number);
      return value.kind === "number" ? value.value : undefined;
    }).end;
    return true;
  } catch (error) {
    if (error instanceof PdfError) return false;
    throw error;
  }
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
