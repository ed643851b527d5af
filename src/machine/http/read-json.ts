import { isAscii } from "node:buffer";
import { createHash } from "node:crypto";
import { type Decoding, EncodedBytes, readBase64, readPlainBase64 } from "#contract/base64";
import { Failure } from "#contract/failure";
import { findJsonFault } from "./json-fault.ts";
import { hasControl, type LongText, longTextBytes, noJson, scanJson, unreadable } from "./json-scan.ts";

/** A long text, read as Base64. A thread can send it: its bytes own their buffer. */
type LongValue = { readonly head: string; readonly decoding: Decoding };

/** A body as a thread returns it. {@link assembleBody} makes the body of it. */
export type BodyParts = {
  /** The body with a number in place of each long text: a text that is longer than any text of the body. */
  readonly tree: object;
  readonly longValues: readonly LongValue[];
  /** SHA-256 of the bytes of the body, hex, where it was asked for. */
  readonly sha256?: string;
};

const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);

/**
 * Every text that stays in the tree has at most `longTextBytes` characters, so this one cannot be the
 * caller's.
 */
const markOf = (index: number): string => String(index).padStart(longTextBytes + 1, "0");

/**
 * Decodes bytes that are UTF-8. ASCII, which includes Base64, takes the fast path: one byte per character.
 */
const textOf = (bytes: Buffer): string =>
  isAscii(bytes) ? bytes.toString("latin1") : bytes.toString("utf8");

/** Without the parser's message, which would quote the body. */
const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    throw unreadable(noJson);
  }
};

const withMarks = (bytes: Buffer, longTexts: readonly LongText[]): string => {
  const pieces: Buffer[] = [];
  let from = 0;
  longTexts.forEach(({ start, end }, index) => {
    pieces.push(bytes.subarray(from, start), Buffer.from(markOf(index)));
    from = end;
  });
  return textOf(Buffer.concat([...pieces, bytes.subarray(from)]));
};

/** Longer texts are decoded in chunks: a document of 50 MB must not be a string too. */
const chunkedTextBytes = 1024 * 1024;

const lineFeed = 10;
const carriageReturn = 13;

/**
 * Escapes, such as `\/` and `\n`, are read before Base64 is. What is valid Base64 has no control character
 * but line breaks, so that only another text is searched for them byte by byte.
 */
const readLongText = (bytes: Buffer, { start, end, isPlain }: LongText): LongValue => {
  const raw = bytes.subarray(start, end);
  const plain = isPlain && raw.length > chunkedTextBytes ? readPlainBase64(raw) : undefined;
  if (plain !== undefined) return { head: raw.toString("latin1", 0, longTextBytes), decoding: plain };
  const text = isPlain ? textOf(raw) : String(parseJson(`"${textOf(raw)}"`));
  const decoding = readBase64(text);
  const isProven = decoding.bytes !== undefined && !raw.includes(lineFeed) && !raw.includes(carriageReturn);
  if (isPlain && !isProven && hasControl(raw)) throw unreadable(noJson);
  return { head: text.slice(0, longTextBytes), decoding: withText(text, decoding) };
};

/** Most bytes of a text that stays in memory although it is no Base64: a tracking token of another SDK. */
const keptTextBytes = 131_072;

const withText = (text: string, decoding: Decoding): Decoding => {
  if (decoding.bytes !== undefined) return decoding;
  const bytes = Buffer.from(text, "utf8");
  if (bytes.length > keptTextBytes) {
    return { ...decoding, sha256: createHash("sha256").update(bytes).digest("hex") };
  }
  // A copy owns its buffer.
  return { ...decoding, text: new Uint8Array(bytes) };
};

const isObject = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const joined = (blocks: readonly Uint8Array[]): Buffer => {
  const [first] = blocks;
  return first !== undefined && blocks.length === 1
    ? Buffer.from(first.buffer, first.byteOffset, first.byteLength)
    : Buffer.concat(blocks);
};

/**
 * Reads the body of a call: one JSON object in UTF-8; a byte order mark is accepted (RFC 8259, 8.1). With
 * repeated keys the last one counts, as in every JSON.parse. An empty body, which some clients send under a
 * JSON header, is an object without fields: the route reports missing fields. Long texts are read as Base64
 * and leave the tree. Time and memory are linear to the bytes. Fails with json_unreadable.
 */
export const readBody = (blocks: readonly Uint8Array[], isHashed: boolean): BodyParts => {
  const sent = joined(blocks);
  const hash = isHashed ? { sha256: createHash("sha256").update(sent).digest("hex") } : {};
  if (sent.length === 0) return { tree: {}, longValues: [], ...hash };
  const bytes = sent.subarray(0, 3).equals(byteOrderMark) ? sent.subarray(3) : sent;
  return withPlace(bytes, () => {
    const longTexts = scanJson(bytes);
    const tree = parseJson(withMarks(bytes, longTexts));
    if (!isObject(tree)) throw unreadable("it is no object");
    return { tree, longValues: longTexts.map((place) => readLongText(bytes, place)), ...hash };
  });
};

/** Adds line and column to the refusal of bytes that are no JSON. */
const withPlace = <Read>(bytes: Uint8Array, read: () => Read): Read => {
  try {
    return read();
  } catch (error) {
    const isFault = error instanceof Failure && error.facts["reason"] === noJson;
    const place = isFault ? findJsonFault(bytes) : undefined;
    throw place === undefined ? error : unreadable(noJson, place);
  }
};

/**
 * As {@link readBody}, and gives the memory of the blocks back at once, also where the body is refused: a
 * garbage collection may come much later. The values own their buffers.
 */
export const consumeBody = (blocks: readonly Uint8Array<ArrayBuffer>[], isHashed: boolean): BodyParts => {
  try {
    return readBody(blocks, isHashed);
  } finally {
    for (const { buffer } of blocks) buffer.transfer(0);
  }
};

/** The body of a call: each long text of it is an EncodedBytes. */
export const assembleBody = ({ tree, longValues }: BodyParts): object => {
  const values = longValues.map(({ head, decoding }) => new EncodedBytes(head, decoding));
  const assemble = (value: unknown): unknown => {
    if (typeof value === "string") return value.length > longTextBytes ? values[Number(value)] : value;
    if (Array.isArray(value)) return value.map(assemble);
    if (!isObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, assemble(part)]));
  };
  const body = assemble(tree);
  return isObject(body) ? body : {};
};
