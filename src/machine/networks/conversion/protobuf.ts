/** A piece of an encoded message, kept in chunks so that weights are copied once, at the end. */
export type Encoded = { readonly chunks: readonly Uint8Array[]; readonly length: number };

const encoded = (...chunks: readonly Uint8Array[]): Encoded => ({
  chunks,
  length: chunks.reduce((sum, chunk) => sum + chunk.length, 0),
});

export const joined = (parts: readonly Encoded[]): Encoded => ({
  chunks: parts.flatMap(({ chunks }) => chunks),
  length: parts.reduce((sum, { length }) => sum + length, 0),
});

const wireVarint = 0;
const wireBytes = 2;
const wireFixed32 = 5;

/** Base-128 varint (Protocol Buffers, Encoding); negative numbers as 64-bit two's complement. */
const varint = (value: number): Uint8Array => {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  while (rest >= 128n) {
    bytes.push(Number(rest & 127n) | 128);
    rest >>= 7n;
  }
  bytes.push(Number(rest));
  return Uint8Array.from(bytes);
};

const tag = (field: number, wire: number): Uint8Array => varint(field * 8 + wire);

export const integerField = (field: number, value: number): Encoded =>
  encoded(tag(field, wireVarint), varint(value));

export const floatField = (field: number, value: number): Encoded =>
  encoded(tag(field, wireFixed32), new Uint8Array(Float32Array.of(value).buffer));

export const bytesField = (field: number, bytes: Uint8Array): Encoded =>
  encoded(tag(field, wireBytes), varint(bytes.length), bytes);

export const textField = (field: number, text: string): Encoded =>
  bytesField(field, new TextEncoder().encode(text));

export const messageField = (field: number, message: Encoded): Encoded => {
  const head = encoded(tag(field, wireBytes), varint(message.length));
  return joined([head, message]);
};

/** The message as one block of bytes. */
export const serialize = (message: Encoded): Uint8Array => {
  const bytes = new Uint8Array(message.length);
  let at = 0;
  for (const chunk of message.chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
};
