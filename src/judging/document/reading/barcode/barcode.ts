import { parsePayload } from "./parse-payload.ts";
import type { Payload, PayloadLayout } from "./payload.ts";
import { payloadText } from "./payload-text.ts";
import type { DecodedBarcode, Symbology } from "./zxing.ts";

/**
 * A confirmed barcode: its content has a known structure, or two differently sampled images gave the same
 * bytes.
 */
export type Barcode = {
  readonly symbology: Symbology;
  /**
   * The content as text. Empty when it is no text: Peru and Colombia store fingerprints there, which must not
   * be kept.
   */
  readonly text: string;
  /** Absent when the bytes follow no known layout. */
  readonly layout?: PayloadLayout;
  readonly payload?: Payload;
  /** How many differently sampled images gave exactly these bytes. */
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

/** A barcode after one read, with its parsed content. */
export const barcodeOf = ({ symbology, bytes }: DecodedBarcode): Barcode => {
  const payload = parsePayload(symbology, bytes);
  return {
    symbology,
    text: textOf(bytes),
    reads: 1,
    ...(payload === undefined ? {} : { layout: payload.layout, payload }),
  };
};
