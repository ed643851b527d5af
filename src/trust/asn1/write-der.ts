import { contextTag, tags } from "./der.ts";

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

/** A SET OF: its elements in the order of their bytes, as DER demands (X.690, 11.6). */
export const setOf = (...parts: readonly Uint8Array[]): Uint8Array =>
  der(tags.set, ...parts.toSorted((a, b) => Buffer.compare(a, b)));

/** An explicit tag: `[number] EXPLICIT`. */
export const explicit = (number: number, ...parts: readonly Uint8Array[]): Uint8Array =>
  der(contextTag(number), ...parts);

/** A written value under an implicit tag: `[number] IMPLICIT`. Primitive values stay primitive. */
export const implicit = (number: number, written: Uint8Array): Uint8Array =>
  Buffer.concat([Uint8Array.of(contextTag(number, (written[0]! & 0x20) !== 0)), written.subarray(1)]);

export const octetString = (bytes: Uint8Array): Uint8Array => der(tags.octetString, bytes);

/** A bit string of whole bytes. */
export const bitString = (bytes: Uint8Array): Uint8Array => der(tags.bitString, Uint8Array.of(0), bytes);

/** A bit string with one set bit and no zero bits behind it: a named bit (X.690, 11.2.2). */
export const namedBit = (number: number): Uint8Array => {
  const bytes = new Uint8Array(Math.floor(number / 8) + 1);
  bytes[bytes.length - 1] = 0x80 >> (number % 8);
  return der(tags.bitString, Uint8Array.of(7 - (number % 8)), bytes);
};

export const boolean = (value: boolean): Uint8Array => der(tags.boolean, Uint8Array.of(value ? 0xff : 0));

export const nullValue: Uint8Array = der(tags.null);

export const utf8String = (text: string): Uint8Array => der(tags.utf8String, Buffer.from(text));

/** An integer from 0 to 2^31 - 1. */
export const smallInteger = (value: number): Uint8Array =>
  integer(Uint8Array.of(value >> 24, (value >> 16) & 0xff, (value >> 8) & 0xff, value & 0xff));

const digitsOf = (at: Date): string => at.toISOString().replaceAll(/[-:T]|\.\d+Z$/g, "");

/** A GeneralizedTime in UTC: whole seconds, or with milliseconds without zeros behind (X.690, 11.7). */
export const generalizedTime = (at: Date, hasMilliseconds = false): Uint8Array => {
  const ms = hasMilliseconds ? at.getUTCMilliseconds() : 0;
  const fraction = ms === 0 ? "" : `.${String(ms).padStart(3, "0").replace(/0+$/, "")}`;
  return der(tags.generalizedTime, Buffer.from(`${digitsOf(at)}${fraction}Z`));
};

/** A Time of a certificate or a CMS: UTCTime until 2049, then GeneralizedTime (RFC 5280, 4.1.2.5). */
export const certificateTime = (at: Date): Uint8Array =>
  at.getUTCFullYear() < 2050
    ? der(tags.utcTime, Buffer.from(`${digitsOf(at).slice(2)}Z`))
    : generalizedTime(at);

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
