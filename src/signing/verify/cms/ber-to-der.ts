import { DerError } from "#asn1/der";

/** Deeper values are refused. */
const depthMax = 40;

/** A value as BER writes it: its tag, and either its content or, with an indefinite length, its elements. */
type Read = { readonly bytes: Uint8Array; readonly end: number };

/**
 * Writes values of indefinite length (X.690, 8.1.3.6) with their length, and strings in parts as one string. Some signers write CMS so.
 * The rest stays byte for byte, because signatures cover it. What follows the first value is padding, which no signature covers, and is
 * left out. Throws DerError.
 */
export const berToDer = (bytes: Uint8Array): Uint8Array => readOne(bytes, 0, 0).bytes;

const lengthBytes = (length: number): readonly number[] => {
  if (length < 0x80) return [length];
  const digits: number[] = [];
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) digits.unshift(rest % 256);
  return [0x80 + digits.length, ...digits];
};

const readOne = (bytes: Uint8Array, start: number, depth: number): Read => {
  const [tag, first] = [bytes[start], bytes[start + 1]];
  if (tag === undefined || first === undefined || (tag & 0x1f) === 0x1f || depth > depthMax) {
    throw new DerError("The bytes end early, or hold a tag of another form");
  }
  if (first === 0x80) return readIndefinite(bytes, start, depth);
  const size = first < 0x80 ? 0 : first - 0x80;
  if (size > 4) throw new DerError("A length is too large");
  const body = start + 2 + size;
  const length =
    size === 0 ? first : bytes.subarray(start + 2, body).reduce((sum, byte) => sum * 256 + byte, 0);
  const end = body + length;
  if (end > bytes.length) throw new DerError("A length is beyond the end of the bytes");
  return { bytes: bytes.subarray(start, end), end };
};

const readIndefinite = (bytes: Uint8Array, start: number, depth: number): Read => {
  const tag = bytes[start]!;
  const parts: Uint8Array[] = [];
  let at = start + 2;
  while (bytes[at] !== 0 || bytes[at + 1] !== 0) {
    const part = readOne(bytes, at, depth + 1);
    parts.push(part.bytes);
    at = part.end;
  }
  // A string in parts: its parts are strings with lengths of their own.
  const isString = tag === 0x24;
  const content = Buffer.concat(isString ? parts.map(contentOf) : parts);
  const head = Uint8Array.from([isString ? 0x04 : tag, ...lengthBytes(content.length)]);
  return { bytes: Buffer.concat([head, content]), end: at + 2 };
};

const contentOf = (bytes: Uint8Array): Uint8Array => {
  const first = bytes[1] ?? 0;
  return bytes.subarray(first < 0x80 ? 2 : 2 + first - 0x80);
};
