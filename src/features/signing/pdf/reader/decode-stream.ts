import { DamagedPdf } from "../damaged.ts";
import { type InflateBudget, inflateWithin } from "../inflate.ts";
import { undoPngPredictor } from "../predictor.ts";
import type { Steps } from "../steps.ts";
import { countOf, type Entries, entriesOf, nameOf, type PdfValue } from "./pdf-value.ts";

/** What may still be inflated, and the steps that may still be taken. */
export type DecodeBounds = {
  readonly budget: InflateBudget;
  readonly steps: Steps;
  /** Hears of a stream that ends before its data does. */
  readonly onCut?: () => void;
};

/**
 * Decodes a stream that holds structure: a cross-reference stream or an object stream (ISO 32000-2, 7.5.7 and
 * 7.5.8). Producers write these plain or with FlateDecode, with or without a PNG predictor. Throws DamagedPdf
 * for another filter, and InflatedTooLarge for more than `bytesMax` or the budget allow.
 */
export const decodeStream = (
  entries: Entries,
  raw: Uint8Array,
  { budget, steps, onCut }: DecodeBounds,
  bytesMax = Number.MAX_SAFE_INTEGER,
): Uint8Array => {
  const filter = onlyOf(entries.get("Filter"));
  if (filter === undefined) return raw;
  if (!isFlate(nameOf(filter))) {
    throw new DamagedPdf(`a stream of structure has the filter ${nameOf(filter) ?? "of another form"}`);
  }
  const parameters = entriesOf(onlyOf(entries.get("DecodeParms")));
  return unpredict(inflateWithin(raw, budget, steps, bytesMax, onCut), parameters, steps);
};

/** Whether a filter is deflate, by its name or its short name. */
export const isFlate = (name: string | undefined): boolean => name === "FlateDecode" || name === "Fl";

const onlyOf = (value: PdfValue | undefined): PdfValue | undefined => {
  if (value?.kind !== "array") return value;
  if (value.items.length > 1) throw new DamagedPdf("a stream of structure has several filters");
  return value.items[0];
};

const unpredict = (bytes: Uint8Array, parameters: Entries | undefined, steps: Steps): Uint8Array => {
  const predictor = countOf(parameters?.get("Predictor")) ?? 1;
  if (predictor === 1) return bytes;
  steps.take(bytes.length);
  const isPlain = (countOf(parameters?.get("BitsPerComponent")) ?? 8) === 8;
  if (predictor < 10 || !isPlain)
    throw new DamagedPdf(`a stream of structure has the predictor ${predictor}`);
  const colors = countOf(parameters?.get("Colors")) ?? 1;
  const width = (countOf(parameters?.get("Columns")) ?? 1) * colors;
  if (width < 1 || width > bytes.length) throw new DamagedPdf("a stream of structure has impossible columns");
  return undoPngPredictor(bytes, width, colors);
};
