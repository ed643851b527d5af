import { DamagedPdf, PdfError } from "./damaged.ts";
import { inflateWithin, makeInflateBudget } from "./inflate.ts";
import type { PdfModel } from "./model.ts";
import { countOf, nameOf, type PdfValue } from "./reader/pdf-value.ts";
import type { Lost, Repair } from "./repairs.ts";
import { openShownObjects, type ShownObjects } from "./shown-objects.ts";

/** What is wrong with what the pages of a file show. */
export type PageFaults = { readonly lost: Lost | undefined; readonly repairs: readonly Repair[] };

type Stream = Extract<PdfValue, { readonly kind: "stream" }>;

/** A value that a page shows, with the number of its object; 0 for the page itself. */
type Shown = { readonly value: PdfValue; readonly object: number };

type Lose = (reason: "page_content_missing" | "page_content_damaged", object: number) => void;

/** A value is visited: some .2 µs. */
const valueSteps = 12;

/**
 * Bytes that the contents of all pages are inflated to. What lies beyond is not looked into: our choice, some
 * .3 s.
 */
const contentBytesMax = 64 * 1024 * 1024;

/** Entries of streams that hold structure. Content with one has the data of another stream. */
const ofStructure = ["Root", "W", "First", "N"] as const;

const typesOfOthers = new Set(["XRef", "ObjStm", "Metadata", "EmbeddedFile"]);

/** Whether content has the entries of a stream that no page shows: a lost block joins two objects so. */
const isForeign = ({ entries }: Stream): boolean =>
  typesOfOthers.has(nameOf(entries.get("Type")) ?? "") || ofStructure.some((key) => entries.has(key));

/** Entries that lead up again, or to what no page shows. */
const notShown = new Set(["Parent", "P", "PieceInfo", "Metadata", "OC"]);

/**
 * Whether the compression of a stream proves that its data is whole; undefined where it proves nothing: the
 * stream has another filter, or too many bytes.
 */
const makeProve = ({ view: { steps } }: PdfModel, { follow }: ShownObjects) => {
  const budget = makeInflateBudget(contentBytesMax);
  return ({ entries, raw }: Stream): boolean | undefined => {
    const filter = follow(entries.get("Filter") ?? { kind: "null" });
    const names = filter?.kind === "array" ? filter.items.map(nameOf) : [nameOf(filter)];
    if (names.length !== 1 || !["FlateDecode", "Fl"].includes(names[0] ?? "")) return undefined;
    let isWhole = true;
    try {
      inflateWithin(raw, budget, steps, budget.left(), () => {
        isWhole = false;
      });
      return isWhole;
    } catch (error) {
      if (error instanceof DamagedPdf) return false;
      if (!(error instanceof PdfError)) throw error;
      budget.spend(budget.left());
      return undefined;
    }
  };
};

/**
 * Visits everything behind a value once. Reports an object that the file does not have, and content whose
 * data is not whole: the contents of pages, forms, and each stream in `guessed`.
 */
const makeWalk = (model: PdfModel, objects: ShownObjects, guessed: ReadonlySet<number>) => {
  const prove = makeProve(model, objects);
  const seen = new Set<number>(model.pages.map(({ object }) => object));
  const judgeStream = (stream: Stream, object: number, isContent: boolean, lose: Lose): void => {
    const isGuessed = guessed.has(object);
    const isDrawn = isContent || nameOf(stream.entries.get("Subtype")) === "Form";
    const isWhole = isGuessed || isDrawn ? prove(stream) : undefined;
    const isLost = isWhole === false || (isGuessed && isWhole === undefined);
    if (isLost || (isContent && isForeign(stream))) lose("page_content_damaged", object);
  };
  return (from: PdfValue | undefined, isContent: boolean, lose: Lose): void => {
    const open: Shown[] = from === undefined ? [] : [{ value: from, object: 0 }];
    const openReference = (number: number): void => {
      if (seen.has(number)) return;
      seen.add(number);
      const value = objects.load(number);
      if (value?.kind === "null" && !objects.isHeld(number)) lose("page_content_missing", number);
      if (value !== undefined) open.push({ value, object: number });
    };
    for (let shown = open.pop(); shown !== undefined; shown = open.pop()) {
      const { value, object } = shown;
      model.view.steps.take(valueSteps);
      if (value.kind === "reference") openReference(value.number);
      if (value.kind === "array") for (const item of value.items) open.push({ value: item, object });
      if (value.kind === "stream") judgeStream(value, object, isContent, lose);
      if (value.kind === "dictionary" || value.kind === "stream")
        for (const [key, inner] of value.entries) if (!notShown.has(key)) open.push({ value: inner, object });
    }
  };
};

/** Whether content that a page names is a stream, or streams. What is damaged was noted already. */
const isContent = ({ follow }: ShownObjects, named: PdfValue): boolean => {
  const isStream = (value: PdfValue): boolean => ["stream", undefined].includes(follow(value)?.kind);
  const content = follow(named);
  return content?.kind === "array" ? content.items.every(isStream) : isStream(named);
};

/** The pages that the root of their tree counts. */
const countStated = ({ resolve, dictOf, entriesAt, catalog }: PdfModel): number | undefined =>
  countOf(resolve(dictOf(entriesAt(catalog).get("Pages"))?.get("Count")));

/**
 * Looks at what the pages of a file show: their contents, their resources with all that these name, and the
 * looks of their annotations. A page without an entry for content is blank on purpose (ISO 32000-2, 7.7.3.3).
 * `guessed` holds streams whose ends a repair guessed. Throws DamagedPdf, TooManySteps.
 */
export const judgePages = (model: PdfModel, guessed: ReadonlySet<number> = new Set()): PageFaults => {
  const objects = openShownObjects(model);
  const walk = makeWalk(model, objects, guessed);
  let lost: Lost | undefined;
  model.pages.forEach(({ entries }, index) => {
    const page = index + 1;
    const lose: Lose = (reason, object) => {
      lost ??= { reason, page, object };
    };
    const contents = entries.get("Contents");
    if (contents !== undefined && !isContent(objects, contents))
      lost ??= { reason: "page_content_missing", page };
    walk(contents, true, lose);
    walk(entries.get("Resources"), false, lose);
    for (const item of model.itemsOf(entries.get("Annots"))) walk(model.dictOf(item)?.get("AP"), false, lose);
  });
  const stated = countStated(model);
  const pages = model.pages.length;
  if (stated !== undefined && stated > pages) lost = { reason: "pages_lost", pages, pagesStated: stated };
  const what = `the file counts ${stated} pages and has ${pages}`;
  const count: readonly Repair[] =
    stated !== undefined && stated < pages ? [{ cause: "page_count", what }] : [];
  return { lost, repairs: [...objects.repairs(), ...count] };
};
