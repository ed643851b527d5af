import { DamagedPdf, PdfError } from "../damaged.ts";
import { dictionaryOf, itemsOf, type View } from "./open-view.ts";
import { type Entries, nameOf, type PdfValue } from "./pdf-value.ts";

/** A page with the entries that it inherits (ISO 32000-2, 7.7.3.4). */
export type Page = { readonly object: number; readonly entries: Entries };

/**
 * The pages in their order, the nodes above them in the order of a walk, and the numbers of all objects of
 * the tree.
 */
export type Pages = {
  readonly pages: readonly Page[];
  readonly nodes: readonly Entries[];
  readonly objects: ReadonlySet<number>;
};

const inherited = ["Resources", "MediaBox", "CropBox", "Rotate"] as const;

/** More objects in the tree of a file to verify, or a deeper tree, are refused. */
const [standardObjectsMax, depthMax] = [200_000, 50];

/** The tree of pages has more objects than allowed. */
export class PagesTooMany extends PdfError {
  override readonly name = "PagesTooMany";
  readonly objects: number;

  constructor(objects: number) {
    super("the tree of pages is too large");
    this.objects = objects;
  }
}

/**
 * The pages of the file. Throws DamagedPdf for a tree that leads in a circle, or that readers take for
 * different trees, and PagesTooMany beyond this number of objects.
 */
export const listPages = (view: View, objectsMax = standardObjectsMax): Pages => {
  const pages: Page[] = [];
  const nodes: Entries[] = [];
  const objects = new Set<number>();
  const walk = (value: PdfValue | undefined, above: Entries, depth: number): void => {
    if (value?.kind !== "reference") throw new DamagedPdf("a page is no object of its own");
    if (objects.has(value.number) || depth > depthMax)
      throw new DamagedPdf("the tree of pages leads in a circle or is too deep");
    objects.add(value.number);
    if (objects.size > objectsMax) throw new PagesTooMany(objects.size);
    const own = dictionaryOf(view, value);
    const entries = new Map([...above, ...own]);
    if (!own.has("Kids")) {
      pages.push({ object: value.number, entries });
      return;
    }
    if (nameOf(view.resolve(own.get("Type"))) === "Page") throw new DamagedPdf("a page has pages below it");
    nodes.push(own);
    const below = new Map(
      inherited.flatMap((key): [string, PdfValue][] => {
        const found = entries.get(key);
        return found === undefined ? [] : [[key, found]];
      }),
    );
    for (const kid of itemsOf(view, own.get("Kids"))) walk(kid, below, depth + 1);
  };
  walk(dictionaryOf(view, view.trailer.get("Root")).get("Pages"), new Map(), 0);
  return { pages, nodes, objects };
};
