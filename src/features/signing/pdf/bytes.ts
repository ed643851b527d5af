import type { Steps } from "./steps.ts";

/** 1: white space of PDF (ISO 32000-2, table 1). 2: delimiters (table 2). 0: regular bytes. */
const kinds = Uint8Array.from({ length: 256 }, (_, byte) => {
  if ([0, 9, 10, 12, 13, 32].includes(byte)) return 1;
  return "()<>[]{}/%".includes(String.fromCharCode(byte)) ? 2 : 0;
});

export const isWhiteSpace = (byte: number | undefined): boolean => byte !== undefined && kinds[byte] === 1;

/** Whether a byte is neither white space nor a delimiter. */
export const isRegular = (byte: number | undefined): byte is number =>
  byte !== undefined && kinds[byte] === 0;

/** A name without its slash, with its escapes `#xx` decoded (ISO 32000-2, 7.3.5). */
export const plainName = (name: string): string =>
  name.includes("#")
    ? name.replaceAll(/#([0-9a-fA-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    : name;

export const isDigit = (byte: number | undefined): boolean =>
  byte !== undefined && byte >= 0x30 && byte <= 0x39;

/** The first index at or after `at` without white space. Throws TooManySteps. */
export const skipWhiteSpace = (bytes: Uint8Array, at: number, steps: Steps): number => {
  let index = at;
  while (isWhiteSpace(bytes[index])) index++;
  steps.take(1 + index - at);
  return index;
};

/** A view of the same memory; nothing is copied. */
export const bufferOf = (bytes: Uint8Array): Buffer =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** The first index of a text at or after `at`; -1 where it does not stand there. Throws TooManySteps. */
export const findText = (bytes: Uint8Array, text: string, at: number, steps: Steps): number => {
  const index = bufferOf(bytes).indexOf(text, at);
  steps.takeNative((index < 0 ? bytes.length : index) - at + text.length);
  return index;
};

/** The last index of a text before `at`; -1 where it does not stand there. Throws TooManySteps. */
export const findTextBefore = (bytes: Uint8Array, text: string, at: number, steps: Steps): number => {
  const index = at < 1 ? -1 : bufferOf(bytes).lastIndexOf(text, at - 1);
  steps.takeNative(at - Math.max(0, index) + text.length);
  return index;
};

export const latin1 = (bytes: Uint8Array, from: number, to: number): string =>
  bufferOf(bytes).toString("latin1", Math.max(0, from), Math.min(bytes.length, to));

/**
 * Decimal digits from `at`: the number, and the index after it. Undefined without a digit, or above 15
 * digits.
 */
export const readDigits = (
  bytes: Uint8Array,
  at: number,
): { readonly value: number; readonly end: number } | undefined => {
  let index = at;
  let value = 0;
  while (isDigit(bytes[index]) && index - at < 16) value = value * 10 + (bytes[index++] ?? 0) - 0x30;
  return index === at || index - at > 15 ? undefined : { value, end: index };
};

/** A number becomes an element of a list, which grows: some .1 µs. */
const numberSteps = 8;

/** The numbers in decimal digits that stand before `end`, in their order. Throws TooManySteps. */
export const readNumbers = (bytes: Uint8Array, end: number, steps: Steps): readonly number[] => {
  const numbers: number[] = [];
  const limit = Math.min(end, bytes.length);
  for (let at = 0; at < limit; at++) {
    const from = at;
    let value = 0;
    for (; at < limit && isDigit(bytes[at]); at++) value = value * 10 + (bytes[at] ?? 0) - 0x30;
    steps.take(1 + at - from);
    if (at === from) continue;
    steps.take(numberSteps);
    numbers.push(value);
  }
  return numbers;
};

/**
 * The header `n g obj` of an indirect object, after white space. Undefined where there is none. Throws
 * TooManySteps.
 */
export const readObjectHeader = (
  bytes: Uint8Array,
  at: number,
  steps: Steps,
): { readonly number: number; readonly generation: number; readonly end: number } | undefined => {
  const number = readDigits(bytes, skipWhiteSpace(bytes, at, steps));
  if (number === undefined || !isWhiteSpace(bytes[number.end])) return undefined;
  const generation = readDigits(bytes, skipWhiteSpace(bytes, number.end, steps));
  if (generation === undefined) return undefined;
  const end = skipWhiteSpace(bytes, generation.end, steps);
  return bytes[end] === 0x6f && bytes[end + 1] === 0x62 && bytes[end + 2] === 0x6a
    ? { number: number.value, generation: generation.value, end: end + 3 }
    : undefined;
};
