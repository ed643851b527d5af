/** A value of DER (X.690): its tag, its content, and all its bytes. */
export type Der = { readonly tag: number; readonly content: Uint8Array; readonly bytes: Uint8Array };

/** Tags of the universal class that signatures, certificates and time-stamps use (X.680, 8.4). */
export const tags = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  null: 0x05,
  oid: 0x06,
  enumerated: 0x0a,
  utf8String: 0x0c,
  printableString: 0x13,
  ia5String: 0x16,
  utcTime: 0x17,
  generalizedTime: 0x18,
  sequence: 0x30,
  set: 0x31,
} as const;

/** The tag of an element that carries a number instead of a type: `[0]`, `[1]`; constructed by default. */
export const contextTag = (number: number, isConstructed = true): number =>
  0x80 + number + (isConstructed ? 0x20 : 0);

/** Bytes that are not the wanted structure. */
export class DerError extends Error {
  override readonly name = "DerError";
}

/** More elements than this in one structure are refused, unless the caller names another bound. */
const childrenMax = 1000;

const readOne = (bytes: Uint8Array, start: number): Der => {
  const [tag, first] = [bytes[start], bytes[start + 1]];
  if (tag === undefined || first === undefined || (tag & 0x1f) === 0x1f) {
    throw new DerError("The bytes end early, or hold a tag of another form");
  }
  const sizeBytes = first < 0x80 ? 0 : first - 0x80;
  if (first === 0x80 || sizeBytes > 4) {
    throw new DerError("A length is indefinite or too large");
  }
  const body = start + 2 + sizeBytes;
  const size = bytes.subarray(start + 2, body);
  const length = sizeBytes === 0 ? first : size.reduce((sum, byte) => sum * 256 + byte, 0);
  if (size.length < sizeBytes || body + length > bytes.length) {
    throw new DerError("A length is beyond the end of the bytes");
  }
  const end = body + length;
  return { tag, content: bytes.subarray(body, end), bytes: bytes.subarray(start, end) };
};

/** Reads bytes that are exactly one value. Throws DerError for any others. */
export const readDer = (bytes: Uint8Array): Der => {
  const value = readOne(bytes, 0);
  if (value.bytes.length !== bytes.length) {
    throw new DerError("Bytes follow the value");
  }
  return value;
};

/** The value at the start of these bytes. Only zero bytes may follow: the padding of a PDF's signature. */
export const readPaddedDer = (bytes: Uint8Array): Der => {
  const value = readOne(bytes, 0);
  if (bytes.subarray(value.bytes.length).some((byte) => byte !== 0)) {
    throw new DerError("Bytes follow the value");
  }
  return value;
};

/**
 * The elements of a constructed value, one at a time: for lists without a bound of their own, such as a
 * CRL's.
 */
export const iterateDer = function* ({ tag, content }: Der): Generator<Der, undefined> {
  if ((tag & 0x20) === 0) {
    throw new DerError("A value has no elements");
  }
  for (let at = 0; at < content.length; ) {
    const child = readOne(content, at);
    yield child;
    at += child.bytes.length;
  }
};

/** The elements of a constructed value: 1,000 at most, or `countMax`. */
export const childrenOf = (value: Der, countMax = childrenMax): readonly Der[] => {
  const children: Der[] = [];
  for (const child of iterateDer(value)) {
    if (children.length === countMax) throw new DerError("A value has too many elements");
    children.push(child);
  }
  return children;
};

/** The elements of a value with this tag. */
export const childrenWithTag = (value: Der | undefined, tag: number): readonly Der[] =>
  childrenOf(expectTag(value, tag));

/** The value inside an explicit tag, such as `[0] EXPLICIT`. */
export const insideOf = (value: Der | undefined, tag: number): Der => {
  const [inner, ...others] = childrenWithTag(value, tag);
  if (inner === undefined || others.length > 0) {
    throw new DerError("A tagged value does not hold exactly one value");
  }
  return inner;
};

/** The value with another tag: reads an implicit tag as the type behind it. */
export const withTag = ({ content, bytes }: Der, tag: number): Der => ({
  tag,
  content,
  bytes: Buffer.concat([Uint8Array.of(tag), bytes.subarray(1)]),
});

/** The value, which must have this tag. */
export const expectTag = (value: Der | undefined, tag: number): Der => {
  if (value?.tag !== tag) {
    throw new DerError(`A value has the tag ${value?.tag ?? "none"} in place of ${tag}`);
  }
  return value;
};

/** The dotted text of an object identifier. */
export const oidOf = (value: Der | undefined): string => {
  const { content } = expectTag(value, tags.oid);
  const arcs: number[] = [];
  let arc = 0;
  for (const byte of content) {
    arc = arc * 128 + (byte & 0x7f);
    if (!Number.isSafeInteger(arc)) throw new DerError("An object identifier is too large");
    if ((byte & 0x80) === 0) {
      arcs.push(arc);
      arc = 0;
    }
  }
  const [first, ...rest] = arcs;
  if (first === undefined || content.at(-1)! > 0x7f) throw new DerError("An object identifier ends early");
  const top = Math.min(2, Math.floor(first / 40));
  return [top, first - 40 * top, ...rest].join(".");
};

/** A small integer, such as a version. */
export const smallIntegerOf = (value: Der | undefined): number => {
  const { content } = expectTag(value, tags.integer);
  if (content.length !== 1 || content[0]! > 0x7f) {
    throw new DerError("An integer is not small");
  }
  return content[0]!;
};

/** A boolean. Every value but zero is true: BER allows it, and encoders make it. */
export const booleanOf = (value: Der | undefined): boolean => {
  const { content } = expectTag(value, tags.boolean);
  if (content.length !== 1) throw new DerError("A boolean has not one byte");
  return content[0] !== 0;
};

/** The bytes of a bit string of whole bytes: a key, a signature. */
export const bitStringOf = (value: Der | undefined): Uint8Array => {
  const { content } = expectTag(value, tags.bitString);
  if (content[0] !== 0) throw new DerError("A bit string has not whole bytes");
  return content.subarray(1);
};

/** Whether bit `number` of a bit string is set, counted from the first (X.680, 22.7). */
export const hasBit = (value: Der, number: number): boolean => {
  const byte = expectTag(value, tags.bitString).content[1 + Math.floor(number / 8)] ?? 0;
  return (byte & (0x80 >> (number % 8))) !== 0;
};

/** Milliseconds since 1970 of a GeneralizedTime in UTC (RFC 3161, 2.4.2). */
export const timeOf = (value: Der | undefined): number => {
  const { content } = expectTag(value, tags.generalizedTime);
  return readTime(Buffer.from(content).toString("latin1"));
};

/**
 * Milliseconds since 1970 of a Time: UTCTime with the years 1950 to 2049, or GeneralizedTime (RFC 5280,
 * 4.1.2.5).
 */
export const eitherTimeOf = (value: Der | undefined): number => {
  if (value?.tag !== tags.utcTime) return timeOf(value);
  const text = Buffer.from(value.content).toString("latin1");
  return readTime(`${Number(text.slice(0, 2)) < 50 ? "20" : "19"}${text}`);
};

const readTime = (text: string): number => {
  const parts = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\.\d{1,9})?Z$/.exec(text);
  const [, year, month, day, hour, minute, second, fraction = ""] = parts ?? [];
  const time = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}${fraction.slice(0, 4)}Z`);
  if (parts === null || Number.isNaN(time)) {
    throw new DerError("A time is not in UTC, or does not exist");
  }
  return time;
};
