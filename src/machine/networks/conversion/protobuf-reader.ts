/** One field of an encoded message: a number for wire types 0, 1 and 5, bytes for wire type 2. */
export type Field = { readonly number: number } & (
  | { readonly kind: "number"; readonly value: bigint }
  | { readonly kind: "bytes"; readonly bytes: Uint8Array }
);

const cutShort = (): Error => new Error("The message ends inside a field");

/** Reads a varint (Protocol Buffers, Encoding) at `at`: at most 10 bytes. */
const readVarint = (bytes: Uint8Array, at: number): readonly [value: bigint, next: number] => {
  let value = 0n;
  for (let i = 0; i < 10; i++) {
    const byte = bytes[at + i];
    if (byte === undefined) throw cutShort();
    value |= BigInt(byte & 127) << BigInt(7 * i);
    if (byte < 128) return [BigInt.asUintN(64, value), at + i + 1];
  }
  throw new Error("A number of the message is too long");
};

/**
 * Reads a tag. Decoders cut it to 32 bits, so a longer tag is another field to them than to this reader. No
 * encoder writes such a tag, or one padded with zeros.
 */
const readTag = (bytes: Uint8Array, at: number): readonly [tag: bigint, next: number] => {
  const [tag, next] = readVarint(bytes, at);
  const isFilledUp = next - at > 1 && bytes[next - 1] === 0;
  if (tag > 0xffff_ffffn || isFilledUp) throw new Error("A tag of the message is not written as tags are");
  return [tag, next];
};

const littleEndian = (bytes: Uint8Array): bigint =>
  bytes.reduceRight((value, byte) => (value << 8n) | BigInt(byte), 0n);

const fixedLength: Readonly<Record<number, number>> = { 1: 8, 5: 4 };

/**
 * The fields of an encoded message in order; strings and inner messages stay bytes, without a copy. Throws
 * Error where the bytes are no message.
 */
export function* readFields(bytes: Uint8Array): Generator<Field> {
  let at = 0;
  while (at < bytes.length) {
    const [tag, afterTag] = readTag(bytes, at);
    const [number, wire] = [Number(tag >> 3n), Number(tag & 7n)];
    if (number === 0) throw new Error("A field of the message has no number");
    if (wire === 0) {
      const [value, next] = readVarint(bytes, afterTag);
      yield { number, kind: "number", value };
      at = next;
      continue;
    }
    const fixed = fixedLength[wire];
    if (fixed === undefined && wire !== 2) throw new Error(`The message has a field of wire type ${wire}`);
    const [length, start] = fixed === undefined ? readVarint(bytes, afterTag) : [BigInt(fixed), afterTag];
    const end = start + Number(length);
    if (end > bytes.length) throw cutShort();
    const inner = bytes.subarray(start, end);
    yield fixed === undefined
      ? { number, kind: "bytes", bytes: inner }
      : { number, kind: "number", value: littleEndian(inner) };
    at = end;
  }
}
