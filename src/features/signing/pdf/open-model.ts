import { Failure } from "#contract/failure";
import { DamagedPdf } from "./damaged.ts";
import type { InflateBudget } from "./inflate.ts";
import { makeModel, type PdfModel } from "./model.ts";
import { listPages, type Page } from "./reader/list-pages.ts";
import { makeView } from "./reader/open-view.ts";
import { countOf, nameOf } from "./reader/pdf-value.ts";
import type { SoundSections } from "./sound-sections.ts";
import type { Steps } from "./steps.ts";
import type { PdfLimits } from "./types.ts";

/** A file whose cross-reference was read, and what its reading may cost. */
export type SoundFile = SoundSections & {
  readonly bytes: Uint8Array;
  readonly repaired: boolean;
  readonly budget: InflateBudget;
  readonly steps: Steps;
};

/**
 * Opens the objects of a file, with its encryption and its pages. Fails where it has no pages, too many, or
 * after a repair fewer than its tree counts. Throws NeedsPassword, PagesTooMany, InflatedTooLarge,
 * TooManySteps and DamagedPdf.
 */
export const openModel = (file: SoundFile, limits: PdfLimits, password = ""): PdfModel => {
  const view = makeView(file, file.sections, { strayBytes: 0, password });
  if (view.load(file.catalog).kind !== "dictionary") throw new DamagedPdf("the catalogue is no dictionary");
  const { sections, catalog, size } = file;
  const tree = listPages(view, 2 * limits.pagesMax);
  for (const object of tree.objects)
    if (view.misplaced.has(object)) throw new DamagedPdf(`object ${object} is damaged`);
  // Readers leave out an object that is missing, and a node without pages below it: the root always is one.
  const leaves = tree.nodes.length > 0 ? tree.pages : [];
  const isHeld = ({ object }: Page): boolean => view.load(object).kind === "dictionary";
  const pages = leaves.filter(
    (page) => isHeld(page) && nameOf(view.resolve(page.entries.get("Type"))) !== "Pages",
  );
  const pagesMissing = leaves.filter((page) => !isHeld(page)).map(({ object }) => object);
  const model = makeModel({ view, sections, pages, pagesMissing, catalog, size });
  if (pages.length === 0) throw new Failure("pdf_unreadable", { reason: "no_pages" });
  if (pages.length > limits.pagesMax)
    throw new Failure("pdf_too_large", { pages: pages.length, pagesMax: limits.pagesMax });
  const stated = countOf(
    model.resolve(model.dictOf(model.entriesAt(model.catalog).get("Pages"))?.get("Count")),
  );
  if (file.repaired && stated !== undefined && pages.length < stated)
    throw new Failure("pdf_unreadable", { reason: "pages_lost", pages: pages.length, pagesStated: stated });
  return model;
};
