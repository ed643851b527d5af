import type { PdfModel } from "./model.ts";
import type { PdfValue } from "./reader/pdf-value.ts";

/**
 * The number of the first page whose content is named and is not in the file, so that readers show the page
 * blank; undefined where none is. A page without an entry for content is blank on purpose (ISO 32000-2,
 * 7.7.3.3).
 */
export const findLostContent = (model: PdfModel): number | undefined => {
  const isThere = (value: PdfValue): boolean => {
    const content = model.resolve(value);
    if (content?.kind === "array")
      return content.items.every((item) => model.resolve(item)?.kind === "stream");
    return content?.kind === "stream";
  };
  const at = model.pages.findIndex(({ entries }) => {
    const named = entries.get("Contents");
    return named !== undefined && !isThere(named);
  });
  return at < 0 ? undefined : at + 1;
};
