import { pdfString } from "./make-value.ts";
import type { PdfString } from "./reader/pdf-value.ts";

/** Longest text of a caller in a signature dictionary, in characters. */
const charactersMax = 1000;

/**
 * Control characters, also those that reverse the direction of text or are not visible (Unicode, Cc and Cf).
 */
const hidden = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]+/gu;

/** The text on one line without control characters, at most 1,000 characters long. */
export const plainText = (text: string): string =>
  Array.from(text.normalize("NFC").replace(hidden, " ").trim()).slice(0, charactersMax).join("");

/**
 * A text string (ISO 32000-2, 7.9.2.2): PDFDocEncoding where ASCII or Latin-1 suffices, else UTF-16BE with
 * its mark.
 */
export const textString = (text: string): PdfString => {
  const plain = plainText(text);
  // PDFDocEncoding equals Latin-1 at 20 to 7E and A1 to FF, save AD.
  // A text that begins like the mark of another encoding is written in UTF-16.
  if (/^[\x20-\x7e\xa1-\xac\xae-\xff]*$/.test(plain) && !/^(\xfe\xff|\xef\xbb\xbf)/.test(plain))
    return pdfString(Buffer.from(plain, "latin1"));
  const utf16 = Buffer.from(plain, "utf16le").swap16();
  return pdfString(Buffer.concat([Buffer.from([0xfe, 0xff]), utf16]));
};

/** A date (ISO 32000-2, 7.9.4) in UTC. */
export const dateString = (at: Date): PdfString =>
  pdfString(Buffer.from(`D:${at.toISOString().slice(0, 19).replaceAll(/[-T:]/g, "")}+00'00'`, "latin1"));

/** Characters of PDFDocEncoding that Latin-1 does not have, from 18 and from 80 on (ISO 32000-2, D.2). */
const runs = [
  [0x18, "˘ˇˆ˙˝˛˚˜"],
  [0x80, "•†‡…—–ƒ⁄‹›−‰„“”‘’‚™ﬁﬂŁŒŠŸŽıłœšž"],
  [0xa0, "€"],
] as const;
const documentCharacters: ReadonlyMap<number, string> = new Map(
  runs.flatMap(([from, text]) => Array.from(text, (char, index) => [from + index, char] as const)),
);

/** The text of a string as it stands in a file: UTF-16 or UTF-8 with its mark, else PDFDocEncoding. */
export const decodeText = (bytes: Uint8Array): string => {
  const [a, b, c] = bytes;
  if (a === 0xfe && b === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  if (a === 0xff && b === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (a === 0xef && b === 0xbb && c === 0xbf) return new TextDecoder().decode(bytes);
  return Array.from(bytes, (byte) => documentCharacters.get(byte) ?? String.fromCharCode(byte)).join("");
};
