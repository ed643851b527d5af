import type { Page, Pages } from "../../pdf/reader/list-pages.ts";
import { dictionaryOf, itemsOf } from "../../pdf/reader/open-view.ts";
import { type Entries, nameOf, type PdfValue } from "../../pdf/reader/pdf-value.ts";
import type { Field } from "../file/find-signatures.ts";
import type { Change, ChangeKind } from "./change.ts";
import { compareField, isPage, statesOf } from "./compare-fields.ts";
import { type Comparison, changedKeys, type Roles } from "./find-difference.ts";

/** Entries of a page that do not change what it shows. */
const harmless: ReadonlyMap<string, ChangeKind> = new Map([
  ["Metadata", "metadata"],
  ["PieceInfo", "metadata"],
  ["LastModified", "metadata"],
  ["Tabs", "form_filling"],
]);

/** Fields of both states by the numbers of their objects and of their widgets. */
export type FieldsByObject = {
  readonly before: ReadonlyMap<number, Field>;
  readonly after: ReadonlyMap<number, Field>;
};

/** The changes of the pages and of what is annotated on them. */
export const comparePages = (
  comparison: Comparison,
  { pages: before, nodes: oldNodes }: Pages,
  { pages: after, nodes }: Pages,
  fields: FieldsByObject,
): readonly Change[] => {
  const count: readonly Change[] =
    before.length === after.length
      ? []
      : [{ kind: "content", what: `the file had ${before.length} pages and has ${after.length}` }];
  const pairs = before.flatMap((old, index) => {
    const page = after[index];
    return page === undefined ? [] : [{ old, page, label: `page ${index + 1}` }];
  });
  return [
    ...count,
    ...pairs.flatMap(({ old, page, label }) => [
      ...comparePage(comparison, old, page, label),
      ...compareAnnotations(comparison, old, page, { label, fields }),
    ]),
    ...compareNodes(comparison, oldNodes, nodes),
  ];
};

/** The nodes above the pages: readers count by them. What they hold below them was listed. */
const compareNodes = (
  comparison: Comparison,
  before: readonly Entries[],
  after: readonly Entries[],
): readonly Change[] => {
  const none: Entries = new Map();
  return Array.from({ length: Math.max(before.length, after.length) }, (_, index) =>
    changedKeys(comparison, before[index] ?? none, after[index] ?? none, ["Kids"]).map(
      ({ place }): Change => ({ kind: "content", what: `tree of pages: ${place}` }),
    ),
  ).flat();
};

const comparePage = (comparison: Comparison, old: Page, page: Page, label: string): readonly Change[] =>
  [...new Set([...old.entries.keys(), ...page.entries.keys()])].flatMap((key): readonly Change[] => {
    if (key === "Annots") return [];
    const place = comparison.find(old.entries.get(key), page.entries.get(key));
    if (place === undefined) return [];
    const what = `${label}: ${place === "" ? key : `${key}.${place}`} (object ${page.object})`;
    return [{ kind: harmless.get(key) ?? "content", what }];
  });

type Where = { readonly label: string; readonly fields: FieldsByObject };

/** The key of an annotation: the number of its object, or its place where it has none. */
const keysOf = (values: readonly PdfValue[]): ReadonlyMap<string, PdfValue> =>
  new Map(
    values.map((value, index) => [value.kind === "reference" ? `${value.number}` : `#${index}`, value]),
  );

const compareAnnotations = (
  comparison: Comparison,
  old: Page,
  page: Page,
  where: Where,
): readonly Change[] => {
  const former = keysOf(itemsOf(comparison.before, old.entries.get("Annots")));
  const current = keysOf(itemsOf(comparison.after, page.entries.get("Annots")));
  const keys = [...new Set([...former.keys(), ...current.keys()])];
  return keys.flatMap((key) => compareAnnotation(comparison, former.get(key), current.get(key), where));
};

/** An annotation without the reference to its page. */
const withoutPage = (entries: Entries, roles: Roles): PdfValue => ({
  kind: "dictionary",
  entries: new Map([...entries].filter(([key, value]) => key !== "P" || !isPage(roles, value))),
});

const compareAnnotation = (
  comparison: Comparison,
  old: PdfValue | undefined,
  now: PdfValue | undefined,
  where: Where,
): readonly Change[] => {
  const { before, after, roles } = comparison;
  const [former, current] = [dictionaryOf(before, old), dictionaryOf(after, now)];
  const subtype =
    nameOf(before.resolve(former.get("Subtype"))) ??
    nameOf(after.resolve(current.get("Subtype"))) ??
    "unnamed";
  const kind: ChangeKind = subtype === "Widget" ? "content" : "annotation";
  const named = (what: string): Change => ({ kind, what: `${where.label}: annotation ${subtype} ${what}` });
  if (now === undefined) return [named("was removed")];
  if (old === undefined) return subtype === "Widget" ? addedWidget(now, where) : [named("was added")];
  const [oldField, field] = [fieldOf(where.fields.before, old), fieldOf(where.fields.after, now)];
  if (subtype === "Widget" && oldField !== undefined && field !== undefined) {
    // A field that is its own widget is compared with the fields.
    if (isOwnWidget(old, oldField) && isOwnWidget(now, field)) return [];
    const states = statesOf(comparison, oldField, field);
    return compareField(comparison, { ...states, before: former, after: current });
  }
  return comparison.find(withoutPage(former, roles.before), withoutPage(current, roles.after)) === undefined
    ? []
    : [named("was changed")];
};

const isOwnWidget = (value: PdfValue, field: Field): boolean =>
  value.kind === "reference" && value.number === field.object;

const fieldOf = (fields: ReadonlyMap<number, Field>, value: PdfValue): Field | undefined =>
  value.kind === "reference" ? fields.get(value.number) : undefined;

/**
 * Widgets of new fields are named with their fields; one without a field in the form draws without a reason.
 */
const addedWidget = (value: PdfValue, { label, fields }: Where): readonly Change[] => {
  const field = fieldOf(fields.after, value);
  if (field !== undefined && !fields.before.has(field.object)) return [];
  const what = `${label}: a widget of ${field === undefined ? "no field" : `the field ${field.name}`} was added`;
  return [{ kind: "content", what }];
};
