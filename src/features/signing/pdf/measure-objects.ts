import {
  type Cursor,
  findText,
  isRegular,
  isWhiteSpace,
  latin1,
  passHex,
  passSpace,
  passString,
  plainName,
  readDigits,
  readNumbers,
  readObjectHeader,
} from "./bytes.ts";
import { DamagedPdf } from "./damaged.ts";
import type { Steps } from "./steps.ts";
import type { Xref } from "./xref.ts";

/** The decoded bytes of the object streams that were decoded, by their numbers, with the `First` of their dictionaries. */
export type Containers = ReadonlyMap<number, { readonly data: Uint8Array; readonly first: number }>;

/** The parser makes an object of each token: some .1 µs. */
const tokenSteps = 6;

/** The parser collects a string in an array of numbers. Longer ones fill the memory of a thread. */
const stringBytesMax = 16 * 1024 * 1024;

/** Tokens that the parser reads beyond the end of an object. */
const tokensAhead = 4;

const cursorAt = (bytes: Uint8Array, at: number): Cursor => ({ bytes, end: bytes.length, at });

/** The length of a stream as it is written: a number, or the number of the object that holds it. */
type Length = { readonly kind: "number" | "object"; readonly value: number };

/** Moves over a string; one that does not end reaches to the end of the bytes. */
const passWithin = (cursor: Cursor, pass: (cursor: Cursor) => boolean, bytesMax: number): void => {
  const from = cursor.at;
  pass(cursor);
  if (cursor.at - from > bytesMax) throw new DamagedPdf("a string is too long");
};

/** Moves over a token behind white space; returns how it changes the depth. */
const passToken = (cursor: Cursor): number => {
  const { bytes } = cursor;
  const byte = bytes[cursor.at];
  const isDouble = byte === bytes[cursor.at + 1];
  if (byte === 0x28) passWithin(cursor, passString, stringBytesMax);
  else if (byte === 0x3c && !isDouble) passWithin(cursor, passHex, 2 * stringBytesMax);
  else if (byte === 0x3c || byte === 0x5b) {
    cursor.at += byte === 0x3c ? 2 : 1;
    return 1;
  } else if (byte === 0x3e || byte === 0x5d) {
    cursor.at += byte === 0x3e && isDouble ? 2 : 1;
    return -1;
  } else {
    cursor.at++;
    while (isRegular(bytes[cursor.at])) cursor.at++;
  }
  return 0;
};

/** Whether these bytes are the name `Length`, which may be written with escapes. */
const isLengthName = (bytes: Uint8Array, from: number, to: number): boolean =>
  bytes[from] === 0x2f && to - from <= 19 && plainName(latin1(bytes, from + 1, to)) === "Length";

const readLength = (bytes: Uint8Array, at: number): Length | undefined => {
  const match = /^\s*(\d{1,15})(\s+\d{1,5}\s+R)?/.exec(latin1(bytes, at, at + 60));
  return match === null
    ? undefined
    : { kind: match[2] === undefined ? "number" : "object", value: Number(match[1]) };
};

/** Moves over one object and the tokens that are read ahead; returns the last Length of its dictionary. */
const passObject = (cursor: Cursor, steps: Steps): { readonly length: Length | undefined; end: number } => {
  const { bytes } = cursor;
  let length: Length | undefined;
  const token = (): number => {
    const from = cursor.at;
    passSpace(cursor);
    const nameAt = cursor.at;
    const change = passToken(cursor);
    steps.take(tokenSteps + cursor.at - from);
    if (depth === 1 && isLengthName(bytes, nameAt, cursor.at)) length = readLength(bytes, cursor.at);
    return change;
  };
  let depth = 0;
  do depth += token();
  while (depth > 0 && cursor.at < bytes.length);
  const end = cursor.at;
  for (let ahead = 0; ahead < tokensAhead && cursor.at < bytes.length; ahead++) token();
  return { length, end };
};

/** Where the stream's data begin behind a dictionary that ends at `at`; undefined without a stream. */
const streamStart = (bytes: Uint8Array, at: number): number | undefined => {
  const cursor = cursorAt(bytes, at);
  passSpace(cursor);
  if (latin1(bytes, cursor.at, cursor.at + 6) !== "stream") return undefined;
  return cursor.at + 6;
};

/** The number that an object holds; undefined for another object. */
const readNumber = (bytes: Uint8Array, xref: Xref, number: number, steps: Steps): number | undefined => {
  const entry = xref.entries.get(number);
  if (entry?.kind !== "plain") return undefined;
  const header = readObjectHeader(bytes, entry.offset, steps);
  if (header === undefined) return undefined;
  const cursor = cursorAt(bytes, header.end);
  // The parser reads the object once more for each stream that names it.
  passObject(cursor, steps);
  const at = cursorAt(bytes, header.end);
  passSpace(at);
  return readDigits(bytes, at.at)?.value;
};

/** Moves over the data of a stream: the parser looks for their end where the length does not lead there. */
const passStream = (
  bytes: Uint8Array,
  xref: Xref,
  dataAt: number,
  length: Length | undefined,
  steps: Steps,
): void => {
  const stated = length?.kind === "object" ? readNumber(bytes, xref, length.value, steps) : length?.value;
  if (stated !== undefined && dataAt + stated <= bytes.length) {
    let at = dataAt + stated;
    while (isWhiteSpace(bytes[at])) at++;
    steps.take(1 + at - dataAt - stated);
    if (latin1(bytes, at, at + 9) === "endstream") return;
  }
  const end = findText(bytes, "endstream", dataAt, steps);
  steps.take((end < 0 ? bytes.length : end) - dataAt);
};

/** The offsets of the objects in an object stream. Throws TooManySteps. */
export const offsetsIn = (
  { data, first }: { readonly data: Uint8Array; readonly first: number },
  steps: Steps,
): readonly number[] => readNumbers(data, first, steps).filter((_, index) => index % 2 === 1);

/**
 * Counts the steps in which the parser reads each object of the file once, and returns them by the numbers of the objects. Objects may
 * overlap: a small file can name one long array as half a million objects. Throws TooManySteps and DamagedPdf.
 */
export const measureObjects = (
  bytes: Uint8Array,
  xref: Xref,
  containers: Containers,
  steps: Steps,
): ReadonlyMap<number, number> => {
  const costs = new Map<number, number>();
  const offsets = new Map([...containers].map(([number, one]) => [number, offsetsIn(one, steps)] as const));
  for (const [number, entry] of xref.entries) {
    const before = steps.taken();
    if (entry.kind === "plain") {
      const header = readObjectHeader(bytes, entry.offset, steps);
      if (header === undefined) continue;
      const cursor = cursorAt(bytes, header.end);
      const { length, end } = passObject(cursor, steps);
      const dataAt = streamStart(bytes, end);
      if (dataAt !== undefined) passStream(bytes, xref, dataAt + lineEnd(bytes, dataAt), length, steps);
    } else if (entry.kind === "compressed") {
      const container = containers.get(entry.stream);
      const offset = offsets.get(entry.stream)?.[entry.index];
      if (container !== undefined && offset !== undefined)
        passObject(cursorAt(container.data, container.first + offset), steps);
    }
    costs.set(number, steps.taken() - before);
  }
  return costs;
};

const lineEnd = (bytes: Uint8Array, at: number): number => {
  if (bytes[at] === 13) return bytes[at + 1] === 10 ? 2 : 1;
  return bytes[at] === 10 ? 1 : 0;
};
