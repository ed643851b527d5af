import { isUtf8 } from "node:buffer";
import { type Facts, Failure } from "#contract/failure";

/** Bytes of a text of a JSON body above which the text is handed on decoded, never as a string. */
export const longTextBytes = 8192;

/**
 * Limits of the structure of a body. The deepest request of the contract has three levels, its longest list
 * 1,000 items, its largest call six images and tokens; a test compares them with every route.
 */
export const jsonLimits = {
  /** Nested objects and lists. */
  depthMax: 32,
  /** Brackets, braces, commas and colons outside of texts. */
  tokensMax: 10_000,
  /** Texts of more than `longTextBytes`. */
  longTextsMax: 64,
  /** Bytes beside the long texts. */
  otherBytesMax: 2 * 1024 * 1024,
} as const;

/** The place of a long text in the bytes of a body, without its quotes. */
export type LongText = {
  readonly start: number;
  readonly end: number;
  /** Without escapes. Whether it has control characters, which no text may have, is not judged yet. */
  readonly isPlain: boolean;
};

const quote = 0x22;
const backslash = 0x5c;
const escapeU = 0x75;

/** `"`, `\`, `/`, b, f, n, r and t: what may follow a backslash, beside u (RFC 8259, 7). */
const escaped: ReadonlySet<number> = new Set(Buffer.from('"\\/bfnrt'));

const isHex = (byte: number | undefined): boolean =>
  byte !== undefined &&
  ((byte >= 0x30 && byte <= 0x39) || (byte >= 0x41 && byte <= 0x46) || (byte >= 0x61 && byte <= 0x66));

/** The index after an escape that begins at `at`; -1 if there is no escape. */
const afterEscape = (bytes: Uint8Array, at: number): number => {
  const kind = bytes[at + 1];
  if (kind !== escapeU) return kind !== undefined && escaped.has(kind) ? at + 2 : -1;
  for (let digit = at + 2; digit < at + 6; digit++) if (!isHex(bytes[digit])) return -1;
  return at + 6;
};

/**
 * Index of the quote that ends a text; -1 where the text has a broken escape, a control character or no end.
 */
const endOfText = (bytes: Uint8Array, start: number): number => {
  let at = start;
  while (at < bytes.length) {
    const byte = bytes[at]!;
    if (byte === quote) return at;
    if (byte < 0x20) return -1;
    at = byte === backslash ? afterEscape(bytes, at) : at + 1;
    if (at < 0) return -1;
  }
  return -1;
};

/** Whether bytes of a text hold a control character, which must be an escape (RFC 8259, 7). */
export const hasControl = (bytes: Uint8Array): boolean => bytes.some((byte) => byte < 0x20);

/**
 * Index of the quote that ends a text, as {@link endOfText}. The first quote ends a long text without a
 * backslash: both searches are many times faster than a look at each byte.
 */
const endOfAnyText = (
  bytes: Uint8Array,
  start: number,
): { readonly end: number; readonly isPlain: boolean } => {
  const end = bytes.indexOf(quote, start);
  const isPlain = end - start > longTextBytes && !bytes.subarray(start, end).includes(backslash);
  return { end: isPlain ? end : endOfText(bytes, start), isPlain };
};

/** The reason of a refusal whose place can be found (json-fault.ts). */
export const noJson = "it is not JSON";

/** The refusal of a body. `reason` is a sentence about its form: it never quotes the body. */
export const unreadable = (reason: string, facts: Facts = {}): Failure =>
  new Failure("json_unreadable", { reason, ...facts });

/** Change of the depth by a structural character; undefined for any other byte. */
const depthChange = (byte: number): -1 | 0 | 1 | undefined => {
  switch (byte) {
    case 0x5b: // [
    case 0x7b: // {
      return 1;
    case 0x5d: // ]
    case 0x7d: // }
      return -1;
    case 0x2c: // ,
    case 0x3a: // :
      return 0;
    default:
      return undefined;
  }
};

/**
 * Judges the structure of a JSON text in one pass, before any parser, and finds its long texts. Time and
 * memory are linear to the bytes. It checks the bounds of the structure, not the grammar: the parser does, on
 * a text that is bounded by now. Fails with json_unreadable.
 */
export const scanJson = (bytes: Uint8Array): readonly LongText[] => {
  if (!isUtf8(bytes)) throw unreadable("it is not UTF-8");
  const { depthMax, tokensMax, longTextsMax, otherBytesMax } = jsonLimits;
  const longTexts: LongText[] = [];
  let longBytes = 0;
  let depth = 0;
  let tokens = 0;
  for (let at = 0; at < bytes.length; at++) {
    if (at - longBytes >= otherBytesMax) {
      throw unreadable("it has too many bytes beside its images and tokens", { otherBytesMax });
    }
    const byte = bytes[at]!;
    if (byte === quote) {
      const start = at + 1;
      const { end, isPlain } = endOfAnyText(bytes, start);
      if (end < 0) throw unreadable(noJson);
      at = end;
      if (end - start <= longTextBytes) continue;
      longBytes += end - start;
      if (longTexts.push({ start, end, isPlain }) > longTextsMax) {
        throw unreadable(`it has too many texts of more than ${longTextBytes} bytes`, { longTextsMax });
      }
      continue;
    }
    const change = depthChange(byte);
    if (change === undefined) continue;
    tokens++;
    depth += change;
    if (depth > depthMax) throw unreadable("it is nested too deeply", { depthMax });
    if (tokens > tokensMax) throw unreadable("it has too many fields and items", { tokensMax });
  }
  return longTexts;
};
