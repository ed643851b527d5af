import { bufferOf, isWhiteSpace, latin1 } from "./bytes.ts";
import { DamagedPdf } from "./damaged.ts";
import type { Steps } from "./steps.ts";

/** Bytes up to the mark of the end of data, or all of them where it is missing: readers take these too. */
const upTo = (raw: Uint8Array, mark: string): Uint8Array => {
  const end = bufferOf(raw).indexOf(mark);
  return end < 0 ? raw : raw.subarray(0, end);
};

/** Decodes pairs of hexadecimal digits (ISO 32000-2, 7.4.2). A wrong one ends the data. */
export const decodeHex = (raw: Uint8Array, steps: Steps): Buffer => {
  steps.take(raw.length);
  const text = upTo(raw, ">");
  return Buffer.from(latin1(text, 0, text.length).replaceAll(/\s/g, ""), "hex");
};

/** Decodes groups of five digits of base 85 (ISO 32000-2, 7.4.3). Throws DamagedPdf for another byte. */
export const decodeAscii85 = (raw: Uint8Array, steps: Steps): Buffer => {
  steps.take(raw.length);
  const text = upTo(raw, "~");
  const out = Buffer.alloc(4 * text.length);
  let [length, value, digits] = [0, 0, 0];
  const put = (bytes: number): void => {
    // A wrong group is larger than four bytes hold: the inflation finds that.
    out.writeUInt32BE(value % 0x1_0000_0000, length);
    length += bytes;
    [value, digits] = [0, 0];
  };
  for (const byte of text) {
    if (isWhiteSpace(byte)) continue;
    if (byte === 0x7a && digits === 0) {
      put(4);
      continue;
    }
    if (byte < 0x21 || byte > 0x75) throw new DamagedPdf("a stream has a byte that is no digit of base 85");
    value = value * 85 + byte - 0x21;
    digits++;
    if (digits === 5) put(4);
  }
  const rest = digits - 1;
  if (rest < 1) return out.subarray(0, length);
  // The missing digits are the highest one.
  for (; digits < 5; digits++) value = value * 85 + 84;
  put(rest);
  return out.subarray(0, length);
};
