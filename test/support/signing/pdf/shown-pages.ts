import { inflateSync } from "node:zlib";
import { listPages } from "#features/signing/pdf/reader/list-pages";
import { dictionaryOf, itemsOf, openView, type View } from "#features/signing/pdf/reader/open-view";
import { nameOf, type PdfValue } from "#features/signing/pdf/reader/pdf-value";

/** What a stream draws. Throws where its data are not whole. */
const drawnBy = (view: View, value: PdfValue): string => {
  const found = view.resolve(value);
  if (found.kind !== "stream") throw new Error(`content is a ${found.kind}`);
  const isDeflated = nameOf(found.entries.get("Filter")) === "FlateDecode";
  return Buffer.from(isDeflated ? inflateSync(found.raw) : found.raw).toString("latin1");
};

/** What the streams in a dictionary of names draw, and the names of its other values. */
const drawnByNames = (view: View, value: PdfValue | undefined): string =>
  [...dictionaryOf(view, value)]
    .map(([name, one]) => (view.resolve(one).kind === "stream" ? `${name}: ${drawnBy(view, one)}` : name))
    .join(" ");

/** The looks of the annotations of a page, without those of fields. Throws where one is missing. */
const looksOf = (view: View, annotations: PdfValue | undefined): string =>
  itemsOf(view, annotations)
    .map((one) => {
      const entries = dictionaryOf(view, one);
      if (entries.size === 0) throw new Error("an annotation is missing");
      return nameOf(entries.get("Subtype")) === "Widget" ? "" : drawnByNames(view, entries.get("AP"));
    })
    .join(" ")
    .trim();

/**
 * What each page of a file draws, with its fonts, images and annotations: the data of its content. Throws
 * where content is missing or cut off.
 */
export const shownPages = (bytes: Uint8Array): readonly string[] => {
  const view = openView(bytes);
  return listPages(view).pages.map(({ entries }) => {
    const contents = view.resolve(entries.get("Contents"));
    const named = contents.kind === "array" ? itemsOf(view, contents) : [entries.get("Contents")];
    const drawn = named.map((one) => (one === undefined ? "" : drawnBy(view, one))).join("\n");
    const fonts = dictionaryOf(view, dictionaryOf(view, entries.get("Resources")).get("Font"));
    const held = [...fonts].filter(([, font]) => view.resolve(font).kind === "dictionary");
    const images = drawnByNames(view, dictionaryOf(view, entries.get("Resources")).get("XObject"));
    const looks = looksOf(view, entries.get("Annots"));
    return [held.map(([name]) => name).join(" "), images, looks, drawn].join(": ");
  });
};
