import { isPredictableText } from "./predictable.ts";

/** The least random bits of an API key: too many to guess, so a plain hash of the key suffices. */
export const keyBitsMin = 128;

/** Fewer different characters have words or patterns, not 128 random bits in any alphabet below. */
const differentMin = 7;

/** The alphabets in which services write keys, the smallest first. */
const alphabets: readonly (readonly [size: number, holds: RegExp])[] = [
  [10, /^\d+$/],
  [16, /^(?:[\da-f]+|[\dA-F]+)$/],
  [26, /^(?:[a-z]+|[A-Z]+)$/],
  [32, /^[A-Z2-7]+$/],
  [36, /^(?:[\da-z]+|[\dA-Z]+)$/],
  [52, /^[A-Za-z]+$/],
  [62, /^[\dA-Za-z]+$/],
  [64, /^(?:[\w-]+|[\dA-Za-z+/]+)$/],
  [94, /^[\x21-\x7e]+$/],
];

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/**
 * Random bits that a key can hold at most, by its length and its alphabet. A text that repeats itself counts
 * once, and one that follows a pattern, such as an alphabet, holds none.
 * Hyphens of a UUID and padding of Base64 do not count. 0 for a text with other characters, or with few
 * different ones. Accepted exception: a UUID counts as 32 digits, 128 bits. One of version 4 (RFC 9562, 5.4)
 * fixes 6 of them and holds 122. Vendors issue such keys, and 122 random bits cannot be guessed either.
 */
export const keyBitsOf = (key: string): number => {
  const text = uuid.test(key) ? key.replaceAll("-", "") : key.replace(/=+$/, "");
  const size = alphabets.find(([, holds]) => holds.test(text))?.[0];
  const isVaried =
    new Set(text).size >= differentMin && (periodOf(text) < text.length || !isPredictableText(text));
  return size === undefined || !isVaried ? 0 : Math.floor(periodOf(text) * Math.log2(size));
};

/** Length of the shortest beginning whose repetition is the whole text. */
const periodOf = (text: string): number => {
  for (let period = 1; period <= text.length / 2; period += 1) {
    if (text.startsWith(text.slice(period))) return period;
  }
  return text.length;
};
