import { dictionaryOf, itemsOf, type View } from "../../pdf/reader/open-view.ts";
import type { PdfValue } from "../../pdf/reader/pdf-value.ts";

/** More names, and deeper trees, are not read. */
const [namesMax, depthMax] = [10_000, 32];

/**
 * The names of a tree in hexadecimal, with their values (ISO 32000-2, 7.9.6); undefined for a tree that
 * readers may read differently.
 */
export const readNameTree = (
  view: View,
  root: PdfValue | undefined,
): ReadonlyMap<string, PdfValue> | undefined => {
  const names = new Map<string, PdfValue>();
  let nodes = 0;
  const walk = (node: PdfValue | undefined, depth: number): boolean => {
    const entries = dictionaryOf(view, node);
    const isPlain = [...entries.keys()].every((key) => ["Names", "Kids", "Limits"].includes(key));
    if (!isPlain || depth > depthMax || ++nodes > namesMax) return false;
    if (!readPairs(view, itemsOf(view, entries.get("Names")), names)) return false;
    return itemsOf(view, entries.get("Kids")).every((kid) => walk(kid, depth + 1));
  };
  return walk(root, 0) ? names : undefined;
};

/** Adds the pairs; false where one is no pair, or its name stands there twice. */
const readPairs = (view: View, items: readonly PdfValue[], names: Map<string, PdfValue>): boolean => {
  for (let index = 0; index < items.length; index += 2) {
    const [name, value] = [view.resolve(items[index]), items[index + 1]];
    if (name.kind !== "string" || value === undefined) return false;
    const key = Buffer.from(name.bytes).toString("hex");
    if (names.has(key) || names.size === namesMax) return false;
    names.set(key, value);
  }
  return true;
};
