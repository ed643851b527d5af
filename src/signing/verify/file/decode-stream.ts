import { constants, inflateSync } from "node:zlib";
import { countOf, type Entries, entriesOf, nameOf, PdfError, type PdfValue } from "./pdf-value.ts";

/** A decoded table of references or object stream is not larger: some 10 million objects. */
const decodedBytesMax = 128 * 1024 * 1024;

/**
 * Decodes a stream that holds structure: a cross-reference stream or an object stream (ISO 32000-2, 7.5.7 and 7.5.8). Producers
 * write these plain or with FlateDecode, with or without a PNG predictor. Throws PdfError for another filter.
 */
export const decodeStream = (entries: Entries, raw: Uint8Array): Uint8Array => {
  const filter = onlyOf(entries.get("Filter"));
  if (filter === undefined) return raw;
  if (nameOf(filter) !== "FlateDecode" && nameOf(filter) !== "Fl") {
    throw new PdfError(`a stream of structure has the filter ${nameOf(filter) ?? "of another form"}`);
  }
  const parameters = entriesOf(onlyOf(entries.get("DecodeParms")));
  return unpredict(inflate(raw), parameters);
};

const onlyOf = (value: PdfValue | undefined): PdfValue | undefined => {
  if (value?.kind !== "array") return value;
  if (value.items.length > 1) throw new PdfError("a stream of structure has several filters");
  return value.items[0];
};

const inflate = (raw: Uint8Array): Uint8Array => {
  try {
    return inflateSync(raw, { maxOutputLength: decodedBytesMax, finishFlush: constants.Z_SYNC_FLUSH });
  } catch {
    throw new PdfError("a compressed stream is damaged or too large");
  }
};

const unpredict = (bytes: Uint8Array, parameters: Entries | undefined): Uint8Array => {
  const predictor = countOf(parameters?.get("Predictor")) ?? 1;
  if (predictor === 1) return bytes;
  const isPlain = (countOf(parameters?.get("BitsPerComponent")) ?? 8) === 8;
  if (predictor < 10 || !isPlain) throw new PdfError(`a stream of structure has the predictor ${predictor}`);
  const colors = countOf(parameters?.get("Colors")) ?? 1;
  const width = (countOf(parameters?.get("Columns")) ?? 1) * colors;
  if (width < 1 || width > bytes.length) throw new PdfError("a stream of structure has impossible columns");
  return unfilter(bytes, width, colors);
};

/** PNG filters, by rows (ISO/IEC 15948, 9.2). */
const unfilter = (bytes: Uint8Array, width: number, step: number): Uint8Array => {
  const rows = Math.floor(bytes.length / (width + 1));
  const out = new Uint8Array(rows * width);
  for (let row = 0; row < rows; row++) {
    const filter = bytes[row * (width + 1)]!;
    for (let x = 0; x < width; x++) {
      const at = row * width + x;
      const left = x < step ? 0 : out[at - step]!;
      const up = row === 0 ? 0 : out[at - width]!;
      const corner = row === 0 || x < step ? 0 : out[at - width - step]!;
      out[at] = bytes[row * (width + 1) + 1 + x]! + predicted(filter, left, up, corner);
    }
  }
  return out;
};

const predicted = (filter: number, left: number, up: number, corner: number): number => {
  switch (filter) {
    case 0:
      return 0;
    case 1:
      return left;
    case 2:
      return up;
    case 3:
      return Math.floor((left + up) / 2);
    case 4:
      return nearest(left, up, corner);
    default:
      throw new PdfError("a stream of structure has an unknown filter of PNG");
  }
};

const nearest = (left: number, up: number, corner: number): number => {
  const [a, b, c] = [Math.abs(up - corner), Math.abs(left - corner), Math.abs(left + up - 2 * corner)];
  if (a <= b && a <= c) return left;
  return b <= c ? up : corner;
};
