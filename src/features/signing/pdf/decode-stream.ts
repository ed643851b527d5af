import type { PdfStream } from "@libpdf/core";
import { DamagedPdf } from "./damaged.ts";
import { type InflateBudget, inflateWithin } from "./inflate.ts";
import type { PdfModel } from "./model.ts";
import { tryRead } from "./steps.ts";

/** The decoded bytes of a stream without a filter or with Deflate, within the budget; undefined for other filters. */
export const decodeStream = (
  model: PdfModel,
  stream: PdfStream,
  budget: InflateBudget,
): Uint8Array | undefined => {
  const filter = model.resolve(stream.get("Filter"));
  const filters = model.arrayOf(filter) === undefined ? [filter ?? []].flat() : model.itemsOf(filter);
  const names = filters.map((name) => model.nameOf(name));
  if (names.length === 0) return stream.data;
  if (names.length > 1 || names[0] !== "FlateDecode" || stream.has("DecodeParms")) return undefined;
  return tryRead(model.steps, DamagedPdf, () => inflateWithin(stream.data, budget, model.steps));
};
