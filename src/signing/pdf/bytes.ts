/** White space of PDF (ISO 32000-2, table 1). */
const whiteSpace = new Set([0, 9, 10, 12, 13, 32]);

export const isWhiteSpace = (byte: number | undefined): boolean => byte !== undefined && whiteSpace.has(byte);

export const isDigit = (byte: number | undefined): boolean =>
  byte !== undefined && byte >= 0x30 && byte <= 0x39;

/** The first index at or after `at` without white space. */
export const skipWhiteSpace = (bytes: Uint8Array, at: number): number => {
  let index = at;
  while (isWhiteSpace(bytes[index])) index++;
  return index;
};

/** A view of the same memory; nothing is copied. */
export const bufferOf = (bytes: Uint8Array): Buffer =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

export const latin1 = (bytes: Uint8Array, from: number, to: number): string =>
  bufferOf(bytes).toString("latin1", Math.max(0, from), Math.min(bytes.length, to));

/** Decimal digits from `at`: the number, and the index after it. Undefined without a digit, or above 15 digits. */
export const readDigits = (
  bytes: Uint8Array,
  at: number,
): { readonly value: number; readonly end: number } | undefined => {
  let index = at;
  let value = 0;
  while (isDigit(bytes[index]) && index - at < 16) value = value * 10 + (bytes[index++] ?? 0) - 0x30;
  return index === at || index - at > 15 ? undefined : { value, end: index };
};

const obj = Buffer.from("obj");

/** The header `n g obj` of an indirect object, after white space. Undefined where there is none. */
export const readObjectHeader = (
  bytes: Uint8Array,
  at: number,
): { readonly number: number; readonly generation: number; readonly end: number } | undefined => {
  const number = readDigits(bytes, skipWhiteSpace(bytes, at));
  if (number === undefined || !isWhiteSpace(bytes[number.end])) return undefined;
  const generation = readDigits(bytes, skipWhiteSpace(bytes, number.end));
  if (generation === undefined) return undefined;
  const end = skipWhiteSpace(bytes, generation.end);
  return bufferOf(bytes)
    .subarray(end, end + 3)
    .equals(obj)
    ? { number: number.value, generation: generation.value, end: end + 3 }
    : undefined;
};
