import {
  type PDF,
  PdfArray,
  PdfDict,
  PdfName,
  PdfNumber,
  type PdfObject,
  PdfRef,
  PdfString,
} from "@libpdf/core";
import { DamagedPdf } from "./damaged.ts";
import type { Steps } from "./steps.ts";
import type { Xref } from "./xref.ts";

/** A dictionary and the indirect object that holds it: the object to write again when the dictionary changes. */
export type Held<T> = { readonly ref: PdfRef; readonly value: T };

/** The objects of an open PDF, and which of them the next revision writes. */
export type PdfModel = {
  readonly pdf: PDF;
  readonly xref: Xref;
  readonly bytes: Uint8Array;
  /** What may still be read of this file. */
  readonly steps: Steps;
  readonly catalog: Held<PdfDict>;
  /** The object itself, or the object that references lead to. */
  readonly resolve: (object: PdfObject | undefined) => PdfObject | undefined;
  readonly dictOf: (object: PdfObject | undefined) => PdfDict | undefined;
  readonly arrayOf: (object: PdfObject | undefined) => PdfArray | undefined;
  /** The elements of the array behind a value; none for another value. Each is a step. */
  readonly itemsOf: (object: PdfObject | undefined) => readonly PdfObject[];
  readonly nameOf: (object: PdfObject | undefined) => string | undefined;
  readonly numberOf: (object: PdfObject | undefined) => number | undefined;
  readonly textOf: (object: PdfObject | undefined) => string | undefined;
  readonly register: (object: PdfObject) => PdfRef;
  /** Sets an entry; the holder is part of the next revision. */
  readonly set: (held: Held<PdfDict>, key: string, value: PdfObject) => void;
  readonly remove: (held: Held<PdfDict>, key: string) => void;
  /** Appends to the array of an entry; a missing one is made. */
  readonly push: (held: Held<PdfDict>, key: string, value: PdfObject) => void;
  /** The dictionary of an entry with its holder. */
  readonly child: (held: Held<PdfDict>, key: string) => Held<PdfDict> | undefined;
  /** Changed and new objects by number; the list is then empty. */
  readonly takeChanges: () => readonly (readonly [PdfRef, PdfObject])[];
  /** Takes the next free object number. */
  readonly takeNumber: () => number;
};

/** References to references that are followed (ISO 32000-2 has none). */
const hopsMax = 32;

/** The start of a decoder takes some .5 µs. */
const textSteps = 50;

/** The parser finds an object by a text of its number: some .2 µs. */
const resolveSteps = 12;

/** A damaged object is never taken for a missing one: it would be replaced. */
const resolveStrictly = (registry: PDF["context"]["registry"], ref: PdfRef): PdfObject | undefined => {
  try {
    return registry.resolve(ref) ?? undefined;
  } catch (error) {
    throw new DamagedPdf(`object ${ref.objectNumber} is damaged`, { cause: error });
  }
};

/** Steps, and how many the parser takes for each object by its number. */
type Counted = { readonly steps: Steps; readonly costs: ReadonlyMap<number, number> };

const makeReaders = (pdf: PDF, { steps, costs }: Counted) => {
  const { registry } = pdf.context;
  // An object that the parser does not keep, such as a damaged one, is read again each time.
  const costOf = (ref: PdfRef): number =>
    registry.getObject(ref) === null ? (costs.get(ref.objectNumber) ?? 0) : 0;
  const resolve = (object: PdfObject | undefined): PdfObject | undefined => {
    let current = object;
    for (let hops = 0; current instanceof PdfRef; hops++) {
      if (hops > hopsMax || current.objectNumber >= registry.nextObjectNumber) return undefined;
      steps.take(resolveSteps + costOf(current));
      current = resolveStrictly(registry, current);
    }
    return current;
  };
  const as = <T>(object: PdfObject | undefined, guard: (value: unknown) => value is T): T | undefined => {
    const resolved = resolve(object);
    return guard(resolved) ? resolved : undefined;
  };
  const textOf = (object: PdfObject | undefined): string | undefined => {
    const text = as(object, (value) => value instanceof PdfString);
    steps.take(textSteps + (text?.bytes.length ?? 0));
    return text?.asString();
  };
  const arrayOf = (object: PdfObject | undefined): PdfArray | undefined =>
    as(object, (value) => value instanceof PdfArray);
  return {
    resolve,
    arrayOf,
    textOf,
    itemsOf: (object: PdfObject | undefined): readonly PdfObject[] => {
      const array = arrayOf(object);
      steps.take(array?.length ?? 0);
      return array?.toArray() ?? [];
    },
    dictOf: (object: PdfObject | undefined) => as(object, (value) => value instanceof PdfDict),
    nameOf: (object: PdfObject | undefined) => as(object, (value) => value instanceof PdfName)?.value,
    numberOf: (object: PdfObject | undefined) => as(object, (value) => value instanceof PdfNumber)?.value,
  };
};

type Touch = (ref: PdfRef) => void;

/** Changes of entries, each with the holder that the next revision writes. */
const makeWriters = (pdf: PDF, readers: ReturnType<typeof makeReaders>, touch: Touch) => {
  const holder = (held: Held<PdfDict>, entry: PdfObject | undefined, value: PdfObject): PdfRef =>
    entry instanceof PdfRef ? (pdf.context.registry.getRef(value) ?? entry) : held.ref;
  return {
    set: (held: Held<PdfDict>, key: string, value: PdfObject): void => {
      held.value.set(key, value);
      touch(held.ref);
    },
    remove: (held: Held<PdfDict>, key: string): void => {
      if (held.value.delete(key)) touch(held.ref);
    },
    push: (held: Held<PdfDict>, key: string, value: PdfObject): void => {
      const entry = held.value.get(key);
      const array = readers.arrayOf(entry);
      if (array === undefined) held.value.set(key, new PdfArray([value]));
      else array.push(value);
      touch(array === undefined ? held.ref : holder(held, entry, array));
    },
    child: (held: Held<PdfDict>, key: string): Held<PdfDict> | undefined => {
      const entry = held.value.get(key);
      const value = readers.dictOf(entry);
      return value === undefined ? undefined : { value, ref: holder(held, entry, value) };
    },
  };
};

/** The model over a parsed file. */
export const makeModel = (
  pdf: PDF,
  bytes: Uint8Array,
  { xref, ...counted }: Pick<PdfModel, "xref"> & Counted,
  catalogRef: PdfRef,
): PdfModel => {
  const { registry } = pdf.context;
  const readers = makeReaders(pdf, counted);
  const { steps } = counted;
  const changed = new Map<number, readonly [PdfRef, PdfObject]>();
  const touch = (ref: PdfRef): void => {
    const object = registry.getObject(ref);
    if (object !== null) changed.set(ref.objectNumber, [ref, object]);
  };
  return {
    pdf,
    xref,
    steps,
    bytes,
    catalog: { ref: catalogRef, value: pdf.context.catalog.getDict() },
    ...readers,
    ...makeWriters(pdf, readers, touch),
    register: (object) => registry.register(object),
    takeNumber: () => registry.allocateRef().objectNumber,
    takeChanges: () => {
      for (const [ref, object] of registry.getNewObjects()) changed.set(ref.objectNumber, [ref, object]);
      registry.commitNewObjects();
      const list = [...changed.values()].sort(([a], [b]) => a.objectNumber - b.objectNumber);
      changed.clear();
      return list;
    },
  };
};
