import { itemsOf, type View } from "../../pdf/reader/open-view.ts";
import { type Entries, type PdfValue } from "../../pdf/reader/pdf-value.ts";
import { readNameTree } from "../file/read-name-tree.ts";
import type { Change } from "./change.ts";
import { type Comparison, changedKeys, dictionariesOf } from "./find-difference.ts";

const content = (place: string): Change => ({ kind: "content", what: `catalog: ${place}` });

/**
 * The changes of the files that are attached to the document, and of the other names of the catalog. A
 * further signature may bring files with it: it covers them. None that was there is changed or taken away.
 */
export const compareAttachments = (
  comparison: Comparison,
  old: Entries,
  now: Entries,
  isSignedAgain: boolean,
): readonly Change[] => {
  const [former, current] = dictionariesOf(comparison, old.get("Names"), now.get("Names"));
  const others = changedKeys(comparison, former, current, ["EmbeddedFiles"]);
  const compared = [
    { place: "AF", change: compareLists(comparison, old.get("AF"), now.get("AF")) },
    {
      place: "Names.EmbeddedFiles",
      change: compareTrees(comparison, former.get("EmbeddedFiles"), current.get("EmbeddedFiles")),
    },
  ];
  return [
    ...others.map(({ place }) => content(`Names.${place}`)),
    ...compared.flatMap(({ place, change }): readonly Change[] => {
      if (change === "none") return [];
      if (change === "changed" || !isSignedAgain) return [content(place)];
      return [{ kind: "attachment", what: `catalog: ${place}: files were added` }];
    }),
  ];
};

type Growth = "none" | "added" | "changed";

const isList = (view: View, value: PdfValue | undefined): boolean =>
  ["array", "null"].includes(view.resolve(value).kind);

const compareLists = (
  comparison: Comparison,
  old: PdfValue | undefined,
  now: PdfValue | undefined,
): Growth => {
  if (comparison.find(old, now) === undefined) return "none";
  if (!isList(comparison.before, old) || !isList(comparison.after, now)) return "changed";
  const [former, current] = [itemsOf(comparison.before, old), itemsOf(comparison.after, now)];
  const isKept = former.every((item, index) => comparison.find(item, current[index]) === undefined);
  return isKept && current.length > former.length ? "added" : "changed";
};

const compareTrees = (
  comparison: Comparison,
  old: PdfValue | undefined,
  now: PdfValue | undefined,
): Growth => {
  if (comparison.find(old, now) === undefined) return "none";
  const [former, current] = [readNameTree(comparison.before, old), readNameTree(comparison.after, now)];
  if (former === undefined || current === undefined) return "changed";
  const isKept = [...former].every(
    ([name, value]) => current.has(name) && comparison.find(value, current.get(name)) === undefined,
  );
  if (!isKept) return "changed";
  return current.size > former.size ? "added" : "none";
};
