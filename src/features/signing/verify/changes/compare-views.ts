import { listPages, type Pages } from "../../pdf/reader/list-pages.ts";
import { itemsOf, type View } from "../../pdf/reader/open-view.ts";
import type { Entries, PdfValue } from "../../pdf/reader/pdf-value.ts";
import { findHiddenBytes } from "../file/find-hidden-bytes.ts";
import { type Field, findSignatures, listFields } from "../file/find-signatures.ts";
import type { Change, ChangeKind } from "./change.ts";
import { compareAttachments } from "./compare-attachments.ts";
import { compareFields } from "./compare-fields.ts";
import { comparePages } from "./compare-pages.ts";
import {
  type Comparison,
  changedKeys,
  dictionariesOf,
  makeComparison,
  type Role,
  type Roles,
} from "./find-difference.ts";

/** Entries of the catalog by the kind of their change; others change the content. */
const catalogKinds: ReadonlyMap<string, ChangeKind> = new Map([
  ["DSS", "validation_data"],
  ["Extensions", "validation_data"],
  ["Version", "validation_data"],
  ["Metadata", "metadata"],
  // Signers of tagged files enter their widget there. It is not shown.
  ["StructTreeRoot", "form_filling"],
]);

/** Entries of the form by the kind of their change; others change the content. */
const formKinds: ReadonlyMap<string, ChangeKind> = new Map([
  ["SigFlags", "validation_data"],
  ["NeedAppearances", "form_filling"],
  ["DA", "form_filling"],
]);

/** The objects of fields and widgets. */
const byObject = (view: View, fields: readonly Field[]): ReadonlyMap<number, Field> =>
  new Map(
    fields.flatMap((field) =>
      [
        { kind: "reference", number: field.object } as const,
        ...itemsOf(view, field.entries.get("Kids")),
      ].flatMap((value): [number, Field][] => (value.kind === "reference" ? [[value.number, field]] : [])),
    ),
  );

const annotationsOf = (view: View, pages: readonly { readonly entries: Entries }[]): readonly number[] =>
  pages
    .flatMap(({ entries }) => itemsOf(view, entries.get("Annots")))
    .flatMap((value) => (value.kind === "reference" ? [value.number] : []));

/** One role for each object: a page before a field, a field before an annotation. */
const rolesOf = (view: View, { pages, objects }: Pages, fields: ReadonlyMap<number, Field>): Roles => {
  const above = [...new Set(fields.values())].flatMap((field) => field.above);
  return new Map([
    ...annotationsOf(view, pages).map((number): [number, Role] => [number, "annotation"]),
    ...[...fields.keys(), ...above].map((number): [number, Role] => [number, "field"]),
    ...[...objects].map((number): [number, Role] => [number, "page"]),
  ]);
};

/** Whether a further signature was made, over the whole later state or a part of it. A time-stamp is none. */
const isSignedAgain = (before: View, after: View): boolean =>
  findSignatures(after).some(
    ({ isTimestamp, isPlain, contents }) =>
      !isTimestamp && isPlain && contents !== undefined && contents.start >= before.bytes.length,
  );

/**
 * What changed between two states of a file, where the bytes of the first are the start of the second.
 * Compares what a reader shows, from the catalog down, and looks for bytes that no reader should read. Throws
 * PdfError.
 */
export const compareViews = (before: View, after: View): readonly Change[] => {
  const [oldPages, newPages] = [listPages(before), listPages(after)];
  const [oldFields, newFields] = [listFields(before), listFields(after)];
  const fields = { before: byObject(before, oldFields), after: byObject(after, newFields) };
  const comparison = makeComparison(before, after, {
    before: rolesOf(before, oldPages, fields.before),
    after: rolesOf(after, newPages, fields.after),
  });
  return [
    ...compareBytes(before, after),
    ...compareCatalogs(comparison),
    ...compareFields(comparison, oldFields, newFields),
    ...comparePages(comparison, oldPages, newPages, fields),
  ];
};

const compareBytes = (before: View, after: View): readonly Change[] => {
  const starts = new Set(after.starts);
  const isBuiltOn = before.starts.every((start) => starts.has(start));
  const hidden = findHiddenBytes(after, before.bytes.length);
  return [
    ...(isBuiltOn ? [] : [content("the later part of the file does not build on the signed part")]),
    ...(hidden === undefined ? [] : [content(`bytes at ${hidden} that belong to no update of the file`)]),
  ];
};

const content = (what: string): Change => ({ kind: "content", what });

const compareCatalogs = (comparison: Comparison): readonly Change[] => {
  const { before, after } = comparison;
  const [old, now] = dictionariesOf(comparison, before.trailer.get("Root"), after.trailer.get("Root"));
  const entries = changedKeys(comparison, old, now, ["Pages", "AcroForm", "Perms", "AF", "Names"]).map(
    ({ key, place }): Change => ({ kind: catalogKinds.get(key) ?? "content", what: `catalog: ${place}` }),
  );
  const trailer = ["Encrypt", "Info"].filter(
    (key) => comparison.find(before.trailer.get(key), after.trailer.get(key)) !== undefined,
  );
  return [
    ...entries,
    ...trailer.map(
      (key): Change => ({ kind: key === "Info" ? "metadata" : "content", what: `trailer: ${key}` }),
    ),
    ...comparePermissions(comparison, old.get("Perms"), now.get("Perms")),
    ...compareAttachments(comparison, old, now, isSignedAgain(before, after)),
    ...compareForms(comparison, old.get("AcroForm"), now.get("AcroForm")),
  ];
};

/** A certification may be added by a further signature; one that stands is not changed. */
const comparePermissions = (
  comparison: Comparison,
  old: PdfValue | undefined,
  now: PdfValue | undefined,
): readonly Change[] => {
  const [former, current] = dictionariesOf(comparison, old, now);
  return changedKeys(comparison, former, current, []).map(
    ({ key }): Change => ({
      kind: permissionKind(key, former.has(key)),
      what: `permissions: ${key}`,
    }),
  );
};

/**
 * Usage rights widen what one reader offers; they show nothing, and signers remove them (ISO 32000-2, 12.8.6,
 * deprecated).
 */
const permissionKind = (key: string, wasThere: boolean): ChangeKind => {
  if (key === "UR3" || key === "UR") return "metadata";
  return wasThere ? "content" : "signature";
};

const compareForms = (
  comparison: Comparison,
  old: PdfValue | undefined,
  now: PdfValue | undefined,
): readonly Change[] => {
  const [former, current] = dictionariesOf(comparison, old, now);
  const entries = changedKeys(comparison, former, current, ["Fields", "DR"]).map(
    ({ key, place }): Change => ({ kind: formKinds.get(key) ?? "content", what: `form: ${place}` }),
  );
  return [...entries, ...compareResources(comparison, former.get("DR"), current.get("DR"))];
};

/**
 * The resources of a group by their names. Some writers put a form in the place of a group: it is one
 * resource without a name.
 */
const groupOf = (view: View, value: PdfValue | undefined): Entries => {
  const found = view.resolve(value);
  if (found.kind === "dictionary") return found.entries;
  return found.kind === "null" ? new Map() : new Map([["", found]]);
};

/** Resources of the form: new ones are added with a filled field; one that stands is not changed. */
const compareResources = (
  comparison: Comparison,
  old: PdfValue | undefined,
  now: PdfValue | undefined,
): readonly Change[] => {
  const [former, current] = dictionariesOf(comparison, old, now);
  return [...current.keys()].flatMap((group) => {
    const [oldGroup, newGroup] = [
      groupOf(comparison.before, former.get(group)),
      groupOf(comparison.after, current.get(group)),
    ];
    return changedKeys(comparison, oldGroup, newGroup, []).map(
      ({ key }): Change => ({
        // Fonts alone are taken from here, where a reader draws the value of a field again.
        kind: group === "Font" && oldGroup.has(key) ? "content" : "form_filling",
        what: `form: resource ${group}.${key}`,
      }),
    );
  });
};
