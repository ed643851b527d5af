import type { Field } from "../file/find-signatures.ts";
import { dictionaryOf, itemsOf, type View } from "../file/open-view.ts";
import { type Entries, entriesOf, nameOf, type PdfValue } from "../file/pdf-value.ts";
import type { Change } from "./change.ts";
import type { Comparison } from "./find-difference.ts";

/** A field, or a widget of one: its name and type, with the entries in both states. */
export type FieldStates = {
  readonly name: string;
  readonly type: string | undefined;
  readonly before: Entries;
  readonly after: Entries;
  /** Whether the field's value changed: it may stand in the field above a widget. */
  readonly hasNewValue: boolean;
  /** Whether the field was signed in the former state. */
  readonly wasSigned: boolean;
};

/** Entries that a reader changes when a field is filled (ISO 32000-2, tables 168, 226, 228 and 232). */
const filled: ReadonlySet<string> = new Set(["V", "RV", "I", "TI", "AS", "M", "NM"]);

/** Entries that a signer changes when an empty field is signed. */
const signed: ReadonlySet<string> = new Set(["V", "AP", "AS", "M", "NM", "MK", "DA", "Lock", "Q"]);

/** Entries that are compared by themselves. */
const apart: ReadonlySet<string> = new Set(["Kids", "Parent", "P", "StructParent"]);

/** The changes of one field or widget. */
export const compareField = (comparison: Comparison, states: FieldStates): readonly Change[] => {
  const { before, after, name } = states;
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((key): readonly Change[] => {
    if (apart.has(key) || comparison.find(before.get(key), after.get(key)) === undefined) return [];
    const kind = kindOf(comparison, states, key);
    return [{ kind, what: `${key} of the field ${name}`, field: name }];
  });
};

const kindOf = (comparison: Comparison, states: FieldStates, key: string): Change["kind"] => {
  const { type, after, hasNewValue, wasSigned } = states;
  if (key === "Ff" && isOnlyLocked(comparison, states)) return "form_filling";
  if (type === "Sig") {
    if (wasSigned || !signed.has(key)) return "content";
    return isTimestamp(comparison.after, after.get("V")) ? "timestamp" : "signature";
  }
  if (filled.has(key)) return "form_filling";
  // The shown text without the value: a shadow of the signed document.
  return key === "AP" && hasNewValue ? "form_filling" : "content";
};

/** Whether only the flag 'read only' was set, as signers do that lock fields. */
const isOnlyLocked = ({ before, after }: Comparison, states: FieldStates): boolean => {
  const [a, b] = [before.resolve(states.before.get("Ff")), after.resolve(states.after.get("Ff"))];
  const former = a.kind === "number" ? a.value : 0;
  return b.kind === "number" && b.value === (former | 1);
};

/** Whether a value is a document time-stamp. */
export const isTimestamp = (view: View, value: PdfValue | undefined): boolean => {
  const entries = dictionaryOf(view, value);
  return nameOf(view.resolve(entries.get("SubFilter"))) === "ETSI.RFC3161";
};

/** The changes of the fields of the form, without those of their widgets. */
export const compareFields = (
  comparison: Comparison,
  before: readonly Field[],
  after: readonly Field[],
): readonly Change[] => {
  const former = new Map(before.map((field) => [field.object, field]));
  const current = new Set(after.map(({ object }) => object));
  const removed = before
    .filter(({ object }) => !current.has(object))
    .map(({ name }): Change => ({ kind: "content", what: `the field ${name} was removed`, field: name }));
  const others = after.flatMap((field): readonly Change[] => {
    const old = former.get(field.object);
    return old === undefined ? [added(comparison.after, field)] : compareOne(comparison, old, field);
  });
  return [...removed, ...others];
};

const compareOne = (comparison: Comparison, old: Field, field: Field): readonly Change[] => {
  const kids = comparison.find(old.entries.get("Kids"), field.entries.get("Kids"));
  const changes = compareField(comparison, statesOf(comparison, old, field));
  if (kids === undefined) return changes;
  return [...changes, { kind: "content", what: `widgets of the field ${field.name}`, field: field.name }];
};

/** Both states of a field. */
export const statesOf = (comparison: Comparison, old: Field, field: Field): FieldStates => ({
  name: field.name,
  type: old.type,
  before: old.entries,
  after: field.entries,
  hasNewValue: comparison.find(old.entries.get("V"), field.entries.get("V")) !== undefined,
  wasSigned: entriesOf(comparison.before.resolve(old.entries.get("V"))) !== undefined,
});

const added = (view: View, field: Field): Change => {
  const { name } = field;
  if (field.type !== "Sig") return { kind: "content", what: `the field ${name} was added`, field: name };
  if (isTimestamp(view, field.entries.get("V"))) {
    return { kind: "timestamp", what: `the document time-stamp ${name}`, field: name };
  }
  // An empty field with an appearance shows what no signer signed ('sneaky signature', Rohlmann and others, IEEE S&P 2021).
  const isEmpty = view.resolve(field.entries.get("V")).kind === "null";
  const kind = isEmpty && shows(view, field.entries) ? "content" : "signature";
  return { kind, what: `the signature field ${name} was added`, field: name };
};

/** Whether a widget, or one below a field, draws on a page. */
const shows = (view: View, entries: Entries): boolean =>
  [entries, ...itemsOf(view, entries.get("Kids")).map((kid) => dictionaryOf(view, kid))].some((one) => {
    const [x1, y1, x2, y2] = itemsOf(view, one.get("Rect")).map((side) => {
      const number = view.resolve(side);
      return number.kind === "number" ? number.value : 0;
    });
    return one.has("AP") && x1 !== x2 && y1 !== y2;
  });
