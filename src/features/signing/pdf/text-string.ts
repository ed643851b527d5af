import { PdfString } from "@libpdf/core";

/** Longest text of a caller in a signature dictionary, in characters. */
const charactersMax = 1000;

/** Control characters, also those that reverse the direction of text or are not visible (Unicode, Cc and Cf). */
const hidden = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]+/gu;

/** The text on one line without control characters, at most 1,000 characters long. */
export const plainText = (text: string): string =>
  Array.from(text.normalize("NFC").replace(hidden, " ").trim()).slice(0, charactersMax).join("");

/** A text string (ISO 32000-2, 7.9.2.2): PDFDocEncoding where ASCII or Latin-1 suffices, else UTF-16BE with its mark. */
export const textString = (text: string): PdfString => {
  const plain = plainText(text);
  // PDFDocEncoding equals Latin-1 at 20 to 7E and A1 to FF, save AD.
  // A text that begins like the mark of another encoding is written in UTF-16.
  if (/^[\x20-\x7e\xa1-\xac\xae-\xff]*$/.test(plain) && !/^(\xfe\xff|\xef\xbb\xbf)/.test(plain))
    return PdfString.fromBytes(Buffer.from(plain, "latin1"));
  const utf16 = Buffer.from(plain, "utf16le").swap16();
  return PdfString.fromBytes(Buffer.concat([Buffer.from([0xfe, 0xff]), utf16]));
};

/** A date (ISO 32000-2, 7.9.4) in UTC. */
export const dateString = (at: Date): PdfString =>
  PdfString.fromBytes(
    Buffer.from(`D:${at.toISOString().slice(0, 19).replaceAll(/[-T:]/g, "")}+00'00'`, "latin1"),
  );
