import { bufferOf, isRegular, isWhiteSpace, plainName, readDigits } from "../bytes.ts";
import { DamagedPdf } from "../damaged.ts";
import type { Steps } from "../steps.ts";
import { type PdfString, type PdfValue, pdfNull, repeatedKey } from "./pdf-value.ts";

/** A place in bytes that moves while values are read. Every byte that it passes is a step. */
export type Cursor = { readonly bytes: Uint8Array; readonly steps: Steps; at: number };

/** Deeper structures are refused. Real files stay below ten. */
const depthMax = 60;

/** A value becomes an object that is kept: some .5 to 1 µs, and some 50 bytes of memory. */
const valueSteps = 60;

/** An array, and a dictionary with its map: some .5 and 1 µs more, however empty it is. */
const [arraySteps, dictionarySteps] = [30, 60];

/** Steps of an entry in the map of a dictionary. It takes some 1 µs more than its value. */
const entrySteps = 60;

/** A string has bytes of its own, some 200 at least: some 1.5 µs more. */
const stringSteps = 120;

/** Bytes of one name or number; longer ones are refused. */
const tokenBytesMax = 512;

/**
 * Bytes of one literal string, which are collected in an array of numbers. Texts of real files have some
 * kilobytes.
 */
const stringBytesMax = 16 * 1024 * 1024;

/** Moves over white space and comments (ISO 32000-2, 7.2.3 and 7.2.4). */
export const skipSpace = (cursor: Cursor): void => {
  const { bytes, steps, at } = cursor;
  for (;;) {
    while (isWhiteSpace(bytes[cursor.at])) cursor.at++;
    if (bytes[cursor.at] !== 0x25) return steps.take(cursor.at - at);
    while (cursor.at < bytes.length && bytes[cursor.at] !== 0x0a && bytes[cursor.at] !== 0x0d) cursor.at++;
  }
};

/** The run of regular characters here, which the cursor passes. Empty before a delimiter and at the end. */
export const readWord = (cursor: Cursor): string => {
  const start = cursor.at;
  while (isRegular(cursor.bytes[cursor.at])) {
    if (cursor.at - start > tokenBytesMax) throw new DamagedPdf("a token is too long");
    cursor.at++;
  }
  cursor.steps.take(cursor.at - start);
  return bufferOf(cursor.bytes).toString("latin1", start, cursor.at);
};

/** Whether this word is here. If so, the cursor moves past it. */
export const tryWord = (cursor: Cursor, word: string): boolean => {
  const { at } = cursor;
  cursor.steps.take(1);
  if (cursor.bytes[at] !== word.charCodeAt(0)) return false;
  if (readWord(cursor) === word) return true;
  cursor.at = at;
  return false;
};

/** A whole number without a sign; undefined, with the cursor unmoved, where there is none. */
export const tryCount = (cursor: Cursor): number | undefined => {
  const count = passCount(cursor);
  if (count !== undefined) return count;
  const { at } = cursor;
  readWord(cursor);
  cursor.at = at;
  return undefined;
};

/**
 * Reads the number in a word of 1 to 15 digits, and moves the cursor past it. Making a text of each word
 * would cost far more.
 */
const passCount = (cursor: Cursor): number | undefined => {
  const { bytes, at } = cursor;
  const digits = readDigits(bytes, at);
  if (digits === undefined || isRegular(bytes[digits.end])) return undefined;
  cursor.at = digits.end;
  cursor.steps.take(digits.end - at);
  return digits.value;
};

/**
 * Reads the value here. Streams are read by the caller, because their length may stand elsewhere. Throws
 * DamagedPdf.
 */
export const parseValue = (cursor: Cursor, depth = 0): PdfValue => {
  if (depth > depthMax) throw new DamagedPdf("values are nested too deeply");
  cursor.steps.take(valueSteps);
  skipSpace(cursor);
  const { bytes, at } = cursor;
  const first = bytes[at];
  if (first === 0x2f) return readName(cursor);
  if (first === 0x28) return readLiteral(cursor);
  if (first !== 0x5b && first !== 0x3c) return readPlain(cursor);
  if (first === 0x3c && bytes[at + 1] !== 0x3c) return readHex(cursor);
  cursor.at += first === 0x5b ? 1 : 2;
  return first === 0x5b ? readArray(cursor, depth) : readDictionary(cursor, depth);
};

const readName = (cursor: Cursor): PdfValue => {
  cursor.at++;
  return { kind: "name", value: plainName(readWord(cursor)) };
};

const readArray = (cursor: Cursor, depth: number): PdfValue => {
  cursor.steps.take(arraySteps);
  const items: PdfValue[] = [];
  for (;;) {
    skipSpace(cursor);
    if (cursor.bytes[cursor.at] === 0x5d) {
      cursor.at++;
      return { kind: "array", items };
    }
    items.push(parseValue(cursor, depth + 1));
  }
};

const readDictionary = (cursor: Cursor, depth: number): PdfValue => {
  cursor.steps.take(dictionarySteps);
  const entries = new Map<string, PdfValue>();
  for (;;) {
    skipSpace(cursor);
    const [first, second] = [cursor.bytes[cursor.at], cursor.bytes[cursor.at + 1]];
    if (first === 0x3e && second === 0x3e) {
      cursor.at += 2;
      return { kind: "dictionary", entries };
    }
    if (first !== 0x2f) throw new DamagedPdf("a dictionary holds a key that is no name");
    cursor.steps.take(entrySteps);
    const key = readName(cursor);
    const value = parseValue(cursor, depth + 1);
    if (key.kind === "name" && value.kind !== "null") addEntry(entries, key.value, value);
  }
};

/**
 * Readers differ about which of two entries of one name holds. Both are kept, so that a change of either is
 * found.
 */
const addEntry = (entries: Map<string, PdfValue>, key: string, value: PdfValue): void => {
  const former = entries.get(key);
  if (former !== undefined) entries.set(`${key}${repeatedKey}`, former);
  entries.set(key, value);
};

const readPlain = (cursor: Cursor): PdfValue => {
  const count = passCount(cursor);
  if (count !== undefined) return readReference(cursor, count);
  const word = readWord(cursor);
  if (/^[+-]*(\d+\.?\d*|\.\d+)(-\d*)?$/.test(word)) return { kind: "number", value: Number.parseFloat(word) };
  if (word === "true" || word === "false") return { kind: "boolean", value: word === "true" };
  if (word === "null") return pdfNull;
  throw new DamagedPdf("a value is no value of PDF");
};

const readReference = (cursor: Cursor, number: number): PdfValue => {
  const { at } = cursor;
  skipSpace(cursor);
  const generation = passCount(cursor);
  if (generation !== undefined) {
    skipSpace(cursor);
    if (cursor.bytes[cursor.at] === 0x52 && tryWord(cursor, "R"))
      return { kind: "reference", number, generation };
  }
  cursor.at = at;
  return { kind: "number", value: number };
};

const readHex = (cursor: Cursor): PdfString => {
  cursor.steps.take(stringSteps);
  const start = cursor.at;
  const bytes = bufferOf(cursor.bytes);
  const close = bytes.indexOf(0x3e, start);
  cursor.steps.takeNative((close < 0 ? bytes.length : close) - start);
  if (close < 0) throw new DamagedPdf("a string does not end");
  cursor.at = close + 1;
  return {
    kind: "string",
    bytes: bytesOfHex(bytes.toString("latin1", start + 1, close), cursor.steps),
    start,
    end: cursor.at,
  };
};

/**
 * Signature values are long, and each revision of a file holds them. So a text of only digits is read at
 * once.
 */
const bytesOfHex = (text: string, steps: Steps): Uint8Array => {
  const plain = Buffer.from(text, "hex");
  // Node stops at the first character that is no digit.
  if (2 * plain.length === text.length) return plain;
  steps.take(text.length);
  const digits = text.replaceAll(/[\s\0]+/g, "");
  if (!/^[0-9a-fA-F]*$/.test(digits)) throw new DamagedPdf("a hexadecimal string holds other characters");
  return Buffer.from(digits.length % 2 === 0 ? digits : `${digits}0`, "hex");
};

const escapes: ReadonlyMap<number, number> = new Map([
  [0x6e, 0x0a],
  [0x72, 0x0d],
  [0x74, 0x09],
  [0x62, 0x08],
  [0x66, 0x0c],
]);

const readLiteral = (cursor: Cursor): PdfString => {
  cursor.steps.take(stringSteps);
  const { bytes } = cursor;
  const start = cursor.at++;
  const out: number[] = [];
  for (let open = 1; open > 0; ) {
    cursor.steps.take(1);
    const byte = bytes[cursor.at++];
    if (byte === undefined) throw new DamagedPdf("a string does not end");
    if (byte === 0x5c) {
      const escaped = readEscape(cursor);
      if (escaped !== undefined) out.push(escaped);
      continue;
    }
    if (byte === 0x28) open++;
    if (byte === 0x29) open--;
    if (open > 0) out.push(byte);
    if (out.length > stringBytesMax) throw new DamagedPdf("a string is too long");
  }
  return { kind: "string", bytes: Uint8Array.from(out), start, end: cursor.at };
};

/** The byte behind a backslash; undefined for the end of a line, which only continues the string. */
const readEscape = (cursor: Cursor): number | undefined => {
  const { bytes } = cursor;
  const byte = bytes[cursor.at++];
  if (byte === undefined) throw new DamagedPdf("a string does not end");
  if (byte === 0x0d) {
    if (bytes[cursor.at] === 0x0a) cursor.at++;
    return undefined;
  }
  if (byte === 0x0a) return undefined;
  if (byte < 0x30 || byte > 0x37) return escapes.get(byte) ?? byte;
  let value = byte - 0x30;
  for (let digits = 1; digits < 3 && isOctal(bytes[cursor.at]); digits++) {
    value = value * 8 + bytes[cursor.at++]! - 0x30;
  }
  return value % 256;
};

const isOctal = (byte: number | undefined): boolean => byte !== undefined && byte >= 0x30 && byte <= 0x37;
