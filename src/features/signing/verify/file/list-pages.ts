import { dictionaryOf, itemsOf, type View } from "./open-view.ts";
import { type Entries, nameOf, PdfError, type PdfValue } from "./pdf-value.ts";

/** A page with the entries that it inherits (ISO 32000-2, 7.7.3.4). */
export type Page = { readonly object: number; readonly entries: Entries };

/** The pages in their order, the nodes above them in the order of a walk, and the numbers of all objects of the tree. */
export type Pages = {
  readonly pages: readonly Page[];
  readonly nodes: readonly Entries[];
  readonly objects: ReadonlySet<number>;
};

const inherited = ["Resources", "MediaBox", "CropBox", "Rotate"] as const;

/** More objects in the tree, or a deeper tree, are refused. */
const [objectsMax, depthMax] = [200_000, 50];

/** The pages of the file. Throws PdfError for a tree that leads in a circle, or that readers take for different trees. */
export const listPages = (view: View): Pages => {
  const pages: Page[] = [];
  const nodes: Entries[] = [];
  const objects = new Set<number>();
  const walk = (value: PdfValue | undefined, above: Entries, depth: number): void => {
    if (value?.kind !== "reference") throw new PdfError("a page is no object of its own");
    if (objects.has(value.number) || depth > depthMax || objects.size > objectsMax) {
      throw new PdfError("the tree of pages leads in a circle or is too large");
    }
    objects.add(value.number);
    const own = dictionaryOf(view, value);
    const entries = new Map([...above, ...own]);
    if (!own.has("Kids")) {
      pages.push({ object: value.number, entries });
      return;
    }
    if (nameOf(view.resolve(own.get("Type"))) === "Page") throw new PdfError("a page has pages below it");
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
