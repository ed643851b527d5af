import type { PdfModel } from "./model.ts";
import { makeProve, type Stream } from "./prove-stream.ts";
import { countOf, type Entries, entriesOf, nameOf, type PdfValue, pdfNull } from "./reader/pdf-value.ts";
import type { Lost, Repair } from "./repairs.ts";
import { openShownObjects, type ShownObjects } from "./shown-objects.ts";

/** What is wrong with what the pages of a file show. */
export type PageFaults = { readonly lost: Lost | undefined; readonly repairs: readonly Repair[] };

/** What a value is to a page: its content, or something else that it shows. One object may be both. */
type Role = "content" | "other";

/** A value that a page shows, with the number of its object; 0 for the page itself. */
type Shown = { readonly value: PdfValue; readonly object: number; readonly role: Role };

type Lose = (reason: "page_content_missing" | "page_content_damaged", object: number) => void;

/** A value is visited: some .2 µs. */
const valueSteps = 12;

/** Entries of streams that hold structure. Content with one has the data of another stream. */
const ofStructure = ["Root", "W", "First", "N"] as const;

const typesOfOthers = new Set(["XRef", "ObjStm", "Metadata", "EmbeddedFile"]);

/** Whether content has the entries of a stream that no page shows: a lost block joins two objects so. */
const isForeign = ({ entries }: Stream): boolean =>
  typesOfOthers.has(nameOf(entries.get("Type")) ?? "") || ofStructure.some((key) => entries.has(key));

/** Whether an object was a stream: a lost block took its data, and left the length. */
const hasLostData = (value: PdfValue): boolean => value.kind === "dictionary" && value.entries.has("Length");

/**
 * Entries that lead up again, or to what no page shows. `P` is none of them: writers name patterns and fonts
 * so.
 */
const notShown = new Set(["Parent", "PieceInfo", "Metadata", "OC", "AF"]);

/**
 * Visits everything behind a value once in each role. Reports an object that the file does not have, and each
 * stream whose data is not whole: contents, forms, images, patterns, glyphs, fonts, and all else that is
 * named.
 */
const makeWalk = (model: PdfModel, objects: ShownObjects, guessed: ReadonlySet<number>) => {
  const prove = makeProve(model.view.steps, objects);
  const pages = model.pages.map(({ object }) => object);
  const seen: Readonly<Record<Role, Set<number>>> = { content: new Set(pages), other: new Set(pages) };
  const judgeStream = (stream: Stream, { object, role }: Shown, lose: Lose): void => {
    const isContent = role === "content";
    const isDrawn = isContent || nameOf(stream.entries.get("Subtype")) === "Form";
    const isWhole = prove(stream, object, isDrawn ? "drawn" : "named");
    const isLost = isWhole === false || (isWhole === undefined && guessed.has(object));
    if (isLost || (isContent && isForeign(stream))) lose("page_content_damaged", object);
  };
  return (from: PdfValue | undefined, as: Role, lose: Lose): void => {
    const open: Shown[] = from === undefined ? [] : [{ value: from, object: 0, role: as }];
    const openReference = (number: number, role: Role): void => {
      if (seen[role].has(number)) return;
      seen[role].add(number);
      const value = objects.load(number);
      if (value?.kind === "null" && !objects.isHeld(number)) lose("page_content_missing", number);
      if (value !== undefined && hasLostData(value)) lose("page_content_damaged", number);
      if (value !== undefined) open.push({ value, object: number, role });
    };
    for (let shown = open.pop(); shown !== undefined; shown = open.pop()) {
      const { value, object, role } = shown;
      model.view.steps.take(valueSteps);
      if (value.kind === "reference") openReference(value.number, role);
      if (value.kind === "array") for (const item of value.items) open.push({ value: item, object, role });
      if (value.kind === "stream") judgeStream(value, shown, lose);
      for (const [key, inner] of entriesOf(value) ?? [])
        if (!notShown.has(key)) open.push({ value: inner, object, role: "other" });
    }
  };
};

/** Whether content that a page names is a stream, or streams. What is damaged was noted already. */
const isContent = ({ follow }: ShownObjects, named: PdfValue): boolean => {
  const isStream = (value: PdfValue): boolean => ["stream", undefined].includes(follow(value)?.kind);
  const content = follow(named);
  return content?.kind === "array" ? content.items.every(isStream) : isStream(named);
};

/**
 * The looks of the annotations of a page. A null is an annotation that was deleted: qpdf and pypdf write one
 * in its place, and editors free its object and leave the reference. One that no section of the
 * cross-reference names was lost, and so was one in whose place something else stands.
 */
const makeLooksOf = ({ view }: PdfModel, { follow, isNamed }: ShownObjects) => {
  /** The value behind one, which should have this kind. What is damaged was noted already. */
  const findAt = (value: PdfValue, kind: "array" | "dictionary", lose: Lose): PdfValue | undefined => {
    view.steps.take(valueSteps);
    const found = follow(value);
    const object = value.kind === "reference" ? value.number : 0;
    const isDeleted = found?.kind === "null" && (object === 0 || isNamed(object));
    if (found !== undefined && found.kind !== kind && !isDeleted) lose("page_content_missing", object);
    return found;
  };
  return (annotations: PdfValue, lose: Lose): readonly PdfValue[] => {
    const list = findAt(annotations, "array", lose);
    return (list?.kind === "array" ? list.items : []).flatMap((item) => {
      const annotation = findAt(item, "dictionary", lose);
      return annotation?.kind === "dictionary" ? (annotation.entries.get("AP") ?? []) : [];
    });
  };
};

/** The pages that the root of their tree counts. */
const countStated = ({ resolve, dictOf, entriesAt, catalog }: PdfModel): number | undefined =>
  countOf(resolve(dictOf(entriesAt(catalog).get("Pages"))?.get("Count")));

/** Pages that the tree counts or names beyond those of the file. */
const findLostPages = (stated: number | undefined, { pages, pagesMissing }: PdfModel): Lost | undefined => {
  const [object] = pagesMissing;
  const lost = { reason: "pages_lost", pages: pages.length } as const;
  if (stated !== undefined && stated > pages.length) return { ...lost, pagesStated: stated };
  return object === undefined ? undefined : { ...lost, object };
};

const countRepairs = (stated: number | undefined, pages: number): readonly Repair[] =>
  stated !== undefined && stated < pages
    ? [{ cause: "page_count", what: `the file counts ${stated} pages and has ${pages}` }]
    : [];

/**
 * Looks at what the pages of a file show: their contents, their resources with all that these name, and the
 * looks of their annotations. A page without an entry for content is blank on purpose (ISO 32000-2, 7.7.3.3).
 * `guessed` holds streams whose ends a repair guessed. Throws DamagedPdf, TooManySteps.
 */
export const judgePages = (model: PdfModel, guessed: ReadonlySet<number> = new Set()): PageFaults => {
  const objects = openShownObjects(model);
  const walk = makeWalk(model, objects, guessed);
  const looksOf = makeLooksOf(model, objects);
  let lost: Lost | undefined;
  const judgePage = (entries: Entries, page: number): void => {
    const lose: Lose = (reason, object) => {
      lost ??= { reason, page, ...(object > 0 && { object }) };
    };
    const contents = entries.get("Contents");
    if (contents !== undefined && !isContent(objects, contents)) lose("page_content_missing", 0);
    walk(contents, "content", lose);
    walk(entries.get("Resources"), "other", lose);
    for (const look of looksOf(entries.get("Annots") ?? pdfNull, lose)) walk(look, "other", lose);
  };
  model.pages.forEach(({ entries }, index) => judgePage(entries, index + 1));
  const stated = countStated(model);
  const repairs = [...objects.repairs(), ...countRepairs(stated, model.pages.length)];
  return { lost: findLostPages(stated, model) ?? lost, repairs };
};
