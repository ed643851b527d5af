import { DamagedPdf } from "./damaged.ts";

/** Nesting of arrays and dictionaries in a trailer; real ones have less than 5. */
const depthMax = 50;
const space = /[\0\t\n\f\r ]/;
const delimiter = /[()<>[\]{}/%\0\t\n\f\r ]/;
const reference = /^[\0\t\n\f\r ]+\d+[\0\t\n\f\r ]+R(?=[()<>[\]{}/%\0\t\n\f\r ]|$)/;

/** Reads raw objects from text. Every method throws DamagedPdf at the end of the text. */
export type Tokens = {
  readonly position: () => number;
  readonly skipSpace: () => void;
  /** The entries of a dictionary, each value as its source text. The last of equal keys counts. */
  readonly dictionary: () => Map<string, string>;
  /** The source text of the next object. */
  readonly value: () => string;
};

type Cursor = { readonly text: string; at: number };

const skipSpace = (cursor: Cursor): void => {
  for (;;) {
    while (space.test(cursor.text[cursor.at] ?? "x")) cursor.at++;
    if (cursor.text[cursor.at] !== "%") return;
    while (cursor.at < cursor.text.length && !/[\r\n]/.test(cursor.text[cursor.at] ?? "")) cursor.at++;
  }
};

const skipString = (cursor: Cursor): void => {
  let open = 0;
  for (; cursor.at < cursor.text.length; cursor.at++) {
    const char = cursor.text[cursor.at];
    if (char === "\\") cursor.at++;
    else if (char === "(") open++;
    else if (char === ")" && --open === 0) {
      cursor.at++;
      return;
    }
  }
  throw new DamagedPdf("a string does not end");
};

const skipHex = (cursor: Cursor): void => {
  const end = cursor.text.indexOf(">", cursor.at);
  if (end < 0) throw new DamagedPdf("a hexadecimal string does not end");
  cursor.at = end + 1;
};

const skipUntil = (cursor: Cursor, end: string, depth: number): void => {
  cursor.at += end.length;
  for (;;) {
    skipSpace(cursor);
    if (cursor.text.startsWith(end, cursor.at)) break;
    skipValue(cursor, depth + 1);
  }
  cursor.at += end.length;
};

const skipWord = (cursor: Cursor): void => {
  const from = cursor.at;
  while (cursor.at < cursor.text.length && !delimiter.test(cursor.text[cursor.at] ?? "")) cursor.at++;
  if (cursor.at === from) throw new DamagedPdf("an object is expected");
  if (!/^\d+$/.test(cursor.text.slice(from, cursor.at))) return;
  cursor.at += reference.exec(cursor.text.slice(cursor.at, cursor.at + 40))?.[0].length ?? 0;
};

function skipValue(cursor: Cursor, depth: number): void {
  if (depth > depthMax) throw new DamagedPdf("objects are nested too deep");
  skipSpace(cursor);
  const char = cursor.text[cursor.at];
  if (char === undefined) throw new DamagedPdf("an object does not end");
  if (cursor.text.startsWith("<<", cursor.at)) skipUntil(cursor, ">>", depth);
  else if (char === "[") skipUntil(cursor, "]", depth);
  else if (char === "<") skipHex(cursor);
  else if (char === "(") skipString(cursor);
  else {
    if (char === "/") cursor.at++;
    if (char === "/" && delimiter.test(cursor.text[cursor.at] ?? " ")) return;
    skipWord(cursor);
  }
}

/** Reads from `at` of a text in Latin-1. */
export const readTokens = (text: string, at = 0): Tokens => {
  const cursor: Cursor = { text, at };
  const value = (): string => {
    skipSpace(cursor);
    const from = cursor.at;
    skipValue(cursor, 0);
    return text.slice(from, cursor.at);
  };
  return {
    position: () => cursor.at,
    skipSpace: () => skipSpace(cursor),
    value,
    dictionary: () => {
      skipSpace(cursor);
      if (!text.startsWith("<<", cursor.at)) throw new DamagedPdf("a dictionary is expected");
      cursor.at += 2;
      const entries = new Map<string, string>();
      for (;;) {
        skipSpace(cursor);
        if (text.startsWith(">>", cursor.at)) break;
        const key = value();
        if (!key.startsWith("/")) throw new DamagedPdf("a key of a dictionary is expected");
        entries.set(key.slice(1), value());
      }
      cursor.at += 2;
      return entries;
    },
  };
};

/** The natural number of a source text; undefined for anything else. */
export const naturalNumber = (text: string | undefined): number | undefined =>
  text !== undefined && /^\+?\d{1,15}$/.test(text) ? Number(text) : undefined;

/** The natural numbers of an array's source text. */
export const naturalNumbers = (text: string | undefined): readonly number[] =>
  (text?.match(/\d{1,15}/g) ?? []).map(Number);

/** The object number of a reference's source text. */
export const referenceNumber = (text: string | undefined): number | undefined => {
  const match = /^(\d{1,10})\s+\d{1,10}\s+R$/.exec(text ?? "");
  return match === null ? undefined : Number(match[1]);
};
