import {
  byteAt,
  type Cursor,
  isDigit,
  isRegular,
  isWhiteSpace,
  latin1,
  passHex,
  passSpace,
  passString,
} from "./bytes.ts";
import { DamagedPdf } from "./damaged.ts";
import type { Steps } from "./steps.ts";

/** Nesting of arrays and dictionaries in a trailer; real ones have less than 5. */
const depthMax = 50;

/** Reads raw objects from bytes. Every method throws DamagedPdf at the end of the bytes, and TooManySteps. */
export type Tokens = {
  /** The index of the next byte. */
  readonly position: () => number;
  readonly skipSpace: () => void;
  /** The entries of a dictionary, each value as its source text. The last of equal keys counts. */
  readonly dictionary: () => Map<string, string>;
  /** The source text of the next object. */
  readonly value: () => string;
};

const isSpaceAt = (cursor: Cursor, at: number): boolean => isWhiteSpace(byteAt(cursor, at));

const isRegularAt = (cursor: Cursor, at: number): boolean => isRegular(byteAt(cursor, at));

/** Whether these one or two equal bytes stand here. */
const standsHere = (cursor: Cursor, byte: number, count: number): boolean =>
  byteAt(cursor, cursor.at) === byte && (count === 1 || byteAt(cursor, cursor.at + 1) === byte);

const skipUntil = (cursor: Cursor, byte: number, count: number, depth: number): void => {
  cursor.at += count;
  for (;;) {
    passSpace(cursor);
    if (standsHere(cursor, byte, count)) break;
    skipValue(cursor, depth + 1);
  }
  cursor.at += count;
};

/** Longest ` g R` behind an object number. */
const referenceBytesMax = 40;

/** Moves over ` g R` of a reference, where it stands here. */
const skipReference = (cursor: Cursor): void => {
  const limit = Math.min(cursor.end, cursor.at + referenceBytesMax);
  let at = cursor.at;
  const run = (test: (at: number) => boolean): boolean => {
    const from = at;
    while (at < limit && test(at)) at++;
    return at > from;
  };
  const isSpace = (index: number): boolean => isSpaceAt(cursor, index);
  if (!run(isSpace) || !run((index) => isDigit(cursor.bytes[index])) || !run(isSpace)) return;
  if (byteAt(cursor, at) === 0x52 && at < limit && !isRegularAt(cursor, at + 1)) cursor.at = at + 1;
};

const skipWord = (cursor: Cursor): void => {
  const from = cursor.at;
  let isNumber = true;
  for (; isRegularAt(cursor, cursor.at); cursor.at++) isNumber &&= isDigit(cursor.bytes[cursor.at]);
  if (cursor.at === from) throw new DamagedPdf("an object is expected");
  if (isNumber) skipReference(cursor);
};

function skipValue(cursor: Cursor, depth: number): void {
  if (depth > depthMax) throw new DamagedPdf("objects are nested too deep");
  passSpace(cursor);
  const byte = byteAt(cursor, cursor.at);
  if (byte === undefined) throw new DamagedPdf("an object does not end");
  if (standsHere(cursor, 0x3c, 2)) skipUntil(cursor, 0x3e, 2, depth);
  else if (byte === 0x5b) skipUntil(cursor, 0x5d, 1, depth);
  else if (byte === 0x3c) {
    if (!passHex(cursor)) throw new DamagedPdf("a hexadecimal string does not end");
  } else if (byte === 0x28) {
    if (!passString(cursor)) throw new DamagedPdf("a string does not end");
  } else {
    if (byte === 0x2f) cursor.at++;
    if (byte === 0x2f && !isRegularAt(cursor, cursor.at)) return;
    skipWord(cursor);
  }
}

const readEntries = (cursor: Cursor, value: () => string): Map<string, string> => {
  passSpace(cursor);
  if (!standsHere(cursor, 0x3c, 2)) throw new DamagedPdf("a dictionary is expected");
  cursor.at += 2;
  const entries = new Map<string, string>();
  for (;;) {
    passSpace(cursor);
    if (standsHere(cursor, 0x3e, 2)) break;
    const key = value();
    if (!key.startsWith("/")) throw new DamagedPdf("a key of a dictionary is expected");
    entries.set(key.slice(1), value());
  }
  cursor.at += 2;
  return entries;
};

/** Reads from `at`, and passes `bytesMax` at most. Every byte that is passed is a step. */
export const readTokens = (bytes: Uint8Array, at: number, bytesMax: number, steps: Steps): Tokens => {
  const cursor: Cursor = { bytes, end: Math.min(bytes.length, at + bytesMax), at };
  /** Counts what the work passed, also where it fails. */
  const counted = <T>(work: () => T): T => {
    const from = cursor.at;
    try {
      return work();
    } finally {
      steps.take(1 + cursor.at - from);
    }
  };
  const value = (): string => {
    passSpace(cursor);
    const from = cursor.at;
    skipValue(cursor, 0);
    return latin1(bytes, from, cursor.at);
  };
  return {
    position: () => cursor.at,
    skipSpace: () => counted(() => passSpace(cursor)),
    value: () => counted(value),
    dictionary: () => counted(() => readEntries(cursor, value)),
  };
};

/** The natural number of a source text; undefined for anything else. */
export const naturalNumber = (text: string | undefined): number | undefined =>
  text !== undefined && /^\+?\d{1,15}$/.test(text) ? Number(text) : undefined;

/** A number becomes a text and an element of two lists: some .4 µs. */
const numberSteps = 30;

/** The natural numbers of an array's source text. Throws TooManySteps. */
export const naturalNumbers = (text: string | undefined, steps: Steps): readonly number[] => {
  const found = text?.match(/\d{1,15}/g) ?? [];
  steps.take(numberSteps * found.length);
  return found.map(Number);
};

/** The object number of a reference's source text. */
export const referenceNumber = (text: string | undefined): number | undefined => {
  const match = /^(\d{1,10})\s+\d{1,10}\s+R$/.exec(text ?? "");
  return match === null ? undefined : Number(match[1]);
};
