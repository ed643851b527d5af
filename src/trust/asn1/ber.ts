import { DerError, tags } from "./der.ts";
import { der } from "./write-der.ts";

/** Deeper structures are refused. Signed data with a time-stamp inside has some 20 levels. */
const depthMax = 40;

/** More elements of one value that is no DER are refused: a CMS that needs them is longer than 2 MB. */
const partsMax = 100_000;

/** An OCTET STRING in parts. */
const dividedOctets = 0x24;

/** `written` is the value in DER: the bytes as sent where nothing in them had to change. */
type Transcoded = {
  readonly tag: number;
  readonly written: Uint8Array;
  readonly isUnchanged: boolean;
  readonly end: number;
};

/**
 * The value at the start of bytes in BER (X.690, 8) with definite lengths and undivided octet strings: older
 * signers of PDF write others. What is definite already keeps its bytes, so that a signature over them still
 * fits. `end` is where the value ends in the given bytes. Throws DerError.
 */
export const readBer = (bytes: Uint8Array): { readonly written: Uint8Array; readonly end: number } => {
  const end = endOfDefinite(bytes, 0, bytes.length, 0);
  return end === undefined ? transcode(bytes, 0, bytes.length, 0) : { written: bytes.subarray(0, end), end };
};

/**
 * The end of a value that is written as DER already; undefined for another one. Nothing is kept of its
 * elements, however many.
 */
const endOfDefinite = (
  bytes: Uint8Array,
  start: number,
  limit: number,
  depth: number,
): number | undefined => {
  if (depth > depthMax) throw new DerError("A structure is too deep");
  const { tag, body, end } = readHead(bytes, start, limit);
  if (end === undefined || tag === dividedOctets) return undefined;
  if ((tag & 0x20) === 0) return end;
  for (let at = body; at < end; ) {
    const next = endOfDefinite(bytes, at, end, depth + 1);
    if (next === undefined) return undefined;
    at = next;
  }
  return end;
};

const transcode = (bytes: Uint8Array, start: number, limit: number, depth: number): Transcoded => {
  if (depth > depthMax) throw new DerError("A structure is too deep");
  const { tag, body, end } = readHead(bytes, start, limit);
  if ((tag & 0x20) === 0) {
    if (end === undefined) throw new DerError("A value without elements has an indefinite length");
    return { tag, written: bytes.subarray(start, end), isUnchanged: true, end };
  }
  const children = readChildren(bytes, body, end ?? limit, depth, end === undefined);
  const isUnchanged = end !== undefined && children.isUnchanged && tag !== dividedOctets;
  return {
    tag: tag === dividedOctets ? tags.octetString : tag,
    written: isUnchanged ? bytes.subarray(start, end) : write(tag, children.parts),
    isUnchanged,
    end: end ?? children.end,
  };
};

const write = (tag: number, parts: readonly Transcoded[]): Uint8Array =>
  tag === dividedOctets
    ? der(tags.octetString, ...parts.map(contentOf))
    : der(tag, ...parts.map((one) => one.written));

/** The content of one part of an octet string, whose head was read before. */
const contentOf = ({ tag, written }: Transcoded): Uint8Array => {
  if (tag !== tags.octetString) throw new DerError("An octet string in parts has a part of another type");
  return written.subarray(readHead(written, 0, written.length).body);
};

const readChildren = (
  bytes: Uint8Array,
  from: number,
  limit: number,
  depth: number,
  isIndefinite: boolean,
) => {
  const parts: Transcoded[] = [];
  let [at, isUnchanged] = [from, true];
  while (isIndefinite ? !isEndOfContents(bytes, at, limit) : at < limit) {
    const part = transcode(bytes, at, limit, depth + 1);
    isUnchanged &&= part.isUnchanged;
    parts.push(part);
    if (parts.length > partsMax) throw new DerError("A value has too many elements");
    at = part.end;
  }
  return { parts, isUnchanged, end: at + 2 };
};

/** Two zero bytes end a value of indefinite length (X.690, 8.1.5). */
const isEndOfContents = (bytes: Uint8Array, at: number, limit: number): boolean => {
  if (at + 2 > limit) throw new DerError("A value of indefinite length has no end");
  return bytes[at] === 0 && bytes[at + 1] === 0;
};

/** `end` is undefined for an indefinite length. */
const readHead = (bytes: Uint8Array, start: number, limit: number) => {
  const [tag, first] = [bytes[start], bytes[start + 1]];
  if (tag === undefined || first === undefined || start + 2 > limit || (tag & 0x1f) === 0x1f) {
    throw new DerError("The bytes end early, or hold a tag of another form");
  }
  if (first === 0x80) return { tag, body: start + 2, end: undefined };
  const sizeBytes = first < 0x80 ? 0 : first - 0x80;
  const body = start + 2 + sizeBytes;
  if (sizeBytes > 4 || body > limit) throw new DerError("A length is too large");
  const length =
    sizeBytes === 0 ? first : bytes.subarray(start + 2, body).reduce((sum, byte) => sum * 256 + byte, 0);
  if (body + length > limit) throw new DerError("A length is beyond the end of the bytes");
  return { tag, body, end: body + length };
};
