/** A value of DER (X.690): its tag, its content, and all its bytes. */
export type Der = { readonly tag: number; readonly content: Uint8Array; readonly bytes: Uint8Array };

/** Tags that the structures of RFC 3161 and RFC 5652 use. */
export const tags = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  null: 0x05,
  oid: 0x06,
  utf8String: 0x0c,
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

/** More elements than this in one structure are refused. */
const childrenMax = 1000;

const readOne = (bytes: Uint8Array, start: number): Der => {
  const [tag, first] = [bytes[start], bytes[start + 1]];
  if (tag === undefined || first === undefined || (tag & 0x1f) === 0x1f) {
    throw new DerError("The bytes end early, or hold a tag of another form");
  }
  const sizeBytes = first < 0x80 ? 0 : first - 0x80;
  if (first === 0x80 || sizeBytes > 3) {
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

/** The one value that these bytes are. Throws DerError for anything else. */
export const readDer = (bytes: Uint8Array): Der => {
  const value = readOne(bytes, 0);
  if (value.bytes.length !== bytes.length) {
    throw new DerError("Bytes follow the value");
  }
  return value;
};

/** The elements of a constructed value. */
export const childrenOf = ({ tag, content }: Der): readonly Der[] => {
  if ((tag & 0x20) === 0) {
    throw new DerError("A value has no elements");
  }
  const children: Der[] = [];
  for (let at = 0; at < content.length; ) {
    const child = readOne(content, at);
    children.push(child);
    at += child.bytes.length;
    if (children.length > childrenMax) throw new DerError("A value has too many elements");
  }
  return children;
};

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
    if ((byte & 0x80) === 0) {
      arcs.push(arc);
      arc = 0;
    }
  }
  const [first = 0, ...rest] = arcs;
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

/** Milliseconds since 1970 of a GeneralizedTime in UTC (RFC 3161, 2.4.2). */
export const timeOf = (value: Der | undefined): number => {
  const { content } = expectTag(value, tags.generalizedTime);
  const text = Buffer.from(content).toString("latin1");
  const parts = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\.\d{1,9})?Z$/.exec(text);
  const [, year, month, day, hour, minute, second, fraction = ""] = parts ?? [];
  const time = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}${fraction.slice(0, 4)}Z`);
  if (parts === null || Number.isNaN(time)) {
    throw new DerError("A time is not a GeneralizedTime in UTC");
  }
  return time;
};

const lengthOf = (length: number): readonly number[] => {
  if (length < 0x80) return [length];
  const bytes: number[] = [];
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) bytes.unshift(rest % 256);
  return [0x80 + bytes.length, ...bytes];
};

/** Writes a value: tag, length, content. */
export const der = (tag: number, ...parts: readonly Uint8Array[]): Uint8Array => {
  const content = Buffer.concat(parts);
  return Buffer.concat([Uint8Array.of(tag, ...lengthOf(content.length)), content]);
};

export const sequence = (...parts: readonly Uint8Array[]): Uint8Array => der(tags.sequence, ...parts);

/** A non-negative integer of big-endian bytes. */
export const integer = (bytes: Uint8Array): Uint8Array => {
  const start = bytes.findIndex((byte) => byte !== 0);
  const trimmed = start < 0 ? Uint8Array.of(0) : bytes.subarray(start);
  return der(tags.integer, ...(trimmed[0]! > 0x7f ? [Uint8Array.of(0)] : []), trimmed);
};

const arcBytes = (arc: number): readonly number[] => {
  const bytes = [arc % 128];
  for (let rest = Math.floor(arc / 128); rest > 0; rest = Math.floor(rest / 128)) {
    bytes.unshift(128 + (rest % 128));
  }
  return bytes;
};

export const oid = (dotted: string): Uint8Array => {
  const [top = 0, second = 0, ...rest] = dotted.split(".").map(Number);
  return der(tags.oid, Uint8Array.from([40 * top + second, ...rest].flatMap(arcBytes)));
};
