import { parsePayload } from "./parse-payload.ts";
import type { Payload, PayloadLayout } from "./payload.ts";
import { payloadText } from "./payload-text.ts";
import type { ReadSymbol, Symbology } from "./zxing.ts";

/** A symbol that is believed: its content has a known structure, or two pictures of it gave the same bytes. */
export type Barcode = {
  readonly symbology: Symbology;
  /** What stands in it. Empty where it is no text: Peru and Colombia put fingerprints there, which nobody may keep. */
  readonly text: string;
  /** Absent when the bytes follow no layout known here. */
  readonly layout?: PayloadLayout;
  readonly payload?: Payload;
  /** How many differently sampled pictures gave these very bytes. */
  readonly reads: number;
};

const separators = "\t\n\r\u001c\u001d\u001e";

/** Printable characters and the separators of the standards. */
const isText = (text: string): boolean =>
  Array.from(text).every(
    (character) =>
      (character >= " " && (character < "\u007f" || character > "\u009f")) || separators.includes(character),
  );

const textOf = (bytes: Uint8Array): string => {
  const text = payloadText(bytes);
  return isText(text) ? text : "";
};

/** A symbol that was read once, with what its content says. */
export const barcodeOf = ({ symbology, bytes }: ReadSymbol): Barcode => {
  const payload = parsePayload(symbology, bytes);
  return {
    symbology,
    text: textOf(bytes),
    reads: 1,
    ...(payload === undefined ? {} : { layout: payload.layout, payload }),
  };
};
