import { DamagedPdf } from "./damaged.ts";
import type { Page } from "./reader/list-pages.ts";
import { hopsMax, type View } from "./reader/open-view.ts";
import { type Entries, type PdfReference, type PdfValue, pdfNull } from "./reader/pdf-value.ts";
import type { Sections } from "./reader/read-sections.ts";
import { decodeText } from "./text-string.ts";

/** A place in the file's objects: an object, and the keys and indices that lead to a value in it. */
export type Held = { readonly object: number; readonly path: readonly (string | number)[] };

/** The objects of an open PDF, and which of them the next revision writes. */
export type PdfModel = {
  readonly view: View;
  readonly sections: Sections;
  readonly pages: readonly Page[];
  /** Objects that the tree of pages names and the file does not have. */
  readonly pagesMissing: readonly number[];
  readonly catalog: Held;
  /** The first object number that was free when the file was opened. */
  readonly size: number;
  /** The value itself, or the value that references lead to; null for a missing one. Throws DamagedPdf. */
  readonly resolve: (value: PdfValue | undefined) => PdfValue;
  readonly dictOf: (value: PdfValue | undefined) => Entries | undefined;
  /** The elements of the array behind a value; none for another value. Each is a step. */
  readonly itemsOf: (value: PdfValue | undefined) => readonly PdfValue[];
  readonly nameOf: (value: PdfValue | undefined) => string | undefined;
  readonly numberOf: (value: PdfValue | undefined) => number | undefined;
  readonly textOf: (value: PdfValue | undefined) => string | undefined;
  /** The dictionary at a place; empty for another value. */
  readonly entriesAt: (held: Held) => Entries;
  /** The place of an entry's dictionary; undefined for another value. */
  readonly child: (held: Held, key: string) => Held | undefined;
  /** The same; a missing dictionary is made as an object of its own. */
  readonly childOrNew: (held: Held, key: string, value: PdfValue) => Held;
  /** The places of the elements of an entry's array. Each is a step. */
  readonly elements: (held: Held, key: string) => readonly Held[];
  /** A new object of the next revision. */
  readonly register: (value: PdfValue) => PdfReference;
  readonly referTo: (object: number) => PdfReference;
  /** Sets an entry; its object is part of the next revision. */
  readonly set: (held: Held, key: string, value: PdfValue) => void;
  readonly remove: (held: Held, key: string) => void;
  /** Appends to the array of an entry; a missing one is made. */
  readonly push: (held: Held, key: string, value: PdfValue) => void;
  /** Changed and new objects in the order of their numbers; the list is then empty. */
  readonly takeChanges: () => readonly (readonly [PdfReference, PdfValue])[];
  /** Takes the next free object number. */
  readonly takeNumber: () => number;
};

/** The start of a decoder takes some .5 µs. */
const textSteps = 50;

/** A value by its place: some .2 µs. */
const resolveSteps = 12;

/** Readers of the file write a generation of five digits (ISO 32000-2, 7.5.4). */
const generationMax = 65_535;

type Objects = {
  readonly load: (object: number) => PdfValue;
  readonly put: (object: number, value: PdfValue) => void;
};

const makeReaders = ({ steps }: View, load: Objects["load"]) => {
  /** The object that references lead to, and its value. */
  const follow = (reference: PdfReference): { readonly object: number; readonly value: PdfValue } => {
    let { number: object } = reference;
    for (let hop = 0; hop < hopsMax; hop++) {
      steps.take(resolveSteps);
      const value = load(object);
      if (value.kind !== "reference") return { object, value };
      object = value.number;
    }
    throw new DamagedPdf("references lead in a circle");
  };
  const resolve: PdfModel["resolve"] = (value = pdfNull) =>
    value.kind === "reference" ? follow(value).value : value;
  const itemsOf: PdfModel["itemsOf"] = (value) => {
    const found = resolve(value);
    if (found.kind !== "array") return [];
    steps.take(found.items.length);
    return found.items;
  };
  const dictOf: PdfModel["dictOf"] = (value) => {
    const found = resolve(value);
    return found.kind === "dictionary" ? found.entries : undefined;
  };
  const textOf: PdfModel["textOf"] = (value) => {
    const found = resolve(value);
    if (found.kind !== "string") return undefined;
    steps.take(textSteps + found.bytes.length);
    return decodeText(found.bytes);
  };
  return {
    follow,
    readers: {
      resolve,
      itemsOf,
      dictOf,
      textOf,
      nameOf: (value: PdfValue | undefined) => {
        const found = resolve(value);
        return found.kind === "name" ? found.value : undefined;
      },
      numberOf: (value: PdfValue | undefined) => {
        const found = resolve(value);
        return found.kind === "number" ? found.value : undefined;
      },
    },
  };
};

const partAt = (value: PdfValue, key: string | number): PdfValue => {
  if (value.kind === "dictionary") return value.entries.get(String(key)) ?? pdfNull;
  return (value.kind === "array" && typeof key === "number" ? value.items[key] : undefined) ?? pdfNull;
};

/** The value with another one at the end of the path; the parts beside the path stay the same values. */
const withPart = (value: PdfValue, [key, ...rest]: Held["path"], change: Change): PdfValue => {
  if (key === undefined) return change(value);
  const part = withPart(partAt(value, key), rest, change);
  if (value.kind === "dictionary")
    return { ...value, entries: new Map(value.entries).set(String(key), part) };
  if (value.kind !== "array" || typeof key !== "number") throw new Error("a path leads to no value");
  return { ...value, items: value.items.with(key, part) };
};

type Change = (value: PdfValue) => PdfValue;

const withEntry =
  (key: string, value: PdfValue | undefined): Change =>
  (holder) => {
    if (holder.kind !== "dictionary") throw new Error("an entry is set in no dictionary");
    const entries = new Map(holder.entries);
    if (value === undefined) entries.delete(key);
    else entries.set(key, value);
    return { ...holder, entries };
  };

/** Places and changes of values. */
const makePlaces = ({ load, put }: Objects, { follow, readers }: ReturnType<typeof makeReaders>) => {
  const valueAt = ({ object, path }: Held): PdfValue => path.reduce(partAt, load(object));
  const entriesAt: PdfModel["entriesAt"] = (held) => readers.dictOf(valueAt(held)) ?? new Map();
  /** Where the value of a part stands: in its holder, or in an object of its own. */
  const part = (held: Held, key: string | number): Held => {
    const at = { object: held.object, path: [...held.path, key] };
    const value = valueAt(at);
    return value.kind === "reference" ? { object: follow(value).object, path: [] } : at;
  };
  const change = ({ object, path }: Held, by: Change): void => put(object, withPart(load(object), path, by));
  const push: PdfModel["push"] = (held, key, value) => {
    const at = part(held, key);
    const items = readers.itemsOf(valueAt(at));
    if (valueAt(at).kind === "array") change(at, () => ({ kind: "array", items: [...items, value] }));
    else change(held, withEntry(key, { kind: "array", items: [value] }));
  };
  return {
    entriesAt,
    child: (held: Held, key: string): Held | undefined => {
      const at = part(held, key);
      const { kind } = valueAt(at);
      // Some readers take its entries: it must not be replaced.
      if (kind === "stream") throw new DamagedPdf("a stream stands in the place of a dictionary");
      return kind === "dictionary" ? at : undefined;
    },
    elements: (held: Held, key: string): readonly Held[] => {
      const at = part(held, key);
      return readers.itemsOf(valueAt(at)).map((_, index) => part(at, index));
    },
    set: (held: Held, key: string, value: PdfValue): void => change(held, withEntry(key, value)),
    remove: (held: Held, key: string): void => {
      if (entriesAt(held).has(key)) change(held, withEntry(key, undefined));
    },
    push,
  };
};

/** What a model stands on. */
export type ModelParts = {
  readonly view: View;
  readonly sections: Sections;
  readonly pages: readonly Page[];
  readonly pagesMissing: readonly number[];
  readonly catalog: number;
  /** The first free object number. */
  readonly size: number;
};

/** The objects of the file with those of the next revision over them. */
const makeObjects = ({ view, sections, size }: ModelParts) => {
  const current = new Map<number, PdfValue>();
  const changed = new Set<number>();
  let next = size;
  const load: Objects["load"] = (object) => {
    const value = current.get(object) ?? view.load(object);
    // A damaged object is never taken for a missing one: it would be replaced.
    if (view.misplaced.has(object)) throw new DamagedPdf(`object ${object} is damaged`);
    return value;
  };
  const put: Objects["put"] = (object, value) => {
    current.set(object, value);
    changed.add(object);
  };
  const referTo: PdfModel["referTo"] = (object) => {
    const place = sections.places.get(object);
    const generation = place?.kind === "offset" ? place.generation : 0;
    if (generation > generationMax) throw new DamagedPdf(`object ${object} has an impossible generation`);
    return { kind: "reference", number: object, generation };
  };
  const register: PdfModel["register"] = (value) => {
    put(next, value);
    return referTo(next++);
  };
  const takeChanges: PdfModel["takeChanges"] = () => {
    const numbers = [...changed].sort((a, b) => a - b);
    changed.clear();
    return numbers.map((object) => [referTo(object), load(object)] as const);
  };
  return { load, put, referTo, register, takeChanges, takeNumber: () => next++ };
};

/** The model over the view of a file. */
export const makeModel = (parts: ModelParts): PdfModel => {
  const { view, sections, pages, pagesMissing, size } = parts;
  const { load, put, ...revision } = makeObjects(parts);
  const reading = makeReaders(view, load);
  const places = makePlaces({ load, put }, reading);
  return {
    view,
    sections,
    pages,
    pagesMissing,
    catalog: { object: parts.catalog, path: [] },
    size,
    ...reading.readers,
    ...places,
    ...revision,
    childOrNew: (held, key, value) => {
      const existing = places.child(held, key);
      if (existing !== undefined) return existing;
      const made = revision.register(value);
      places.set(held, key, made);
      return { object: made.number, path: [] };
    },
  };
};
