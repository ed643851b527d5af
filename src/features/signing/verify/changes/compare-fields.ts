import { dictionaryOf, itemsOf, type View } from "../../pdf/reader/open-view.ts";
import type { Entries, PdfValue } from "../../pdf/reader/pdf-value.ts";
import { type Field, type FoundSignature, findSignature } from "../file/find-signatures.ts";
import type { Change } from "./change.ts";
import type { Comparison, Roles } from "./find-difference.ts";

/** A field, or a widget of one: its name and type, with the entries in both states. */
export type FieldStates = {
  readonly name: string;
  readonly type: string | undefined;
  readonly before: Entries;
  readonly after: Entries;
  /** Whether the field's value changed: it may stand in the field above a widget. */
  readonly hasNewValue: boolean;
  /**
   * The signature that an empty field got; undefined for a field that had a value, and where its value is no
   * signature.
   */
  readonly signature: FoundSignature | undefined;
  /** Whether the field is seen in the later state. */
  readonly isSeen: boolean;
};

/** Entries that a reader changes when a field is filled (ISO 32000-2, tables 168, 226, 228 and 232). */
const filled: ReadonlySet<string> = new Set(["V", "RV", "I", "TI", "AS", "M", "NM"]);

/** Entries that a signer changes when an empty field is signed. */
const signed: ReadonlySet<string> = new Set(["V", "AP", "AS", "M", "NM", "MK", "DA", "Lock", "Q"]);

/** Entries that place a field in the file and do not show. */
const placing: ReadonlySet<string> = new Set(["P", "StructParent"]);

/** Whether a value is a reference to a page. */
export const isPage = (roles: Roles, value: PdfValue | undefined): boolean =>
  value?.kind === "reference" && roles.get(value.number) === "page";

/**
 * Whether an entry places a field: it is nothing, a number or a page, and nothing else that a page could
 * show.
 */
const places = (roles: Roles, value: PdfValue | undefined): boolean =>
  value === undefined || value.kind === "null" || value.kind === "number" || isPage(roles, value);

/** The changes of one field or widget. */
export const compareField = (comparison: Comparison, states: FieldStates): readonly Change[] => {
  const { before, after, name } = states;
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((key): readonly Change[] => {
    const [former, current] = [before.get(key), after.get(key)];
    const { roles } = comparison;
    if (placing.has(key) && places(roles.before, former) && places(roles.after, current)) return [];
    if (comparison.find(former, current) === undefined) return [];
    const kind = kindOf(comparison, states, key);
    return [{ kind, what: `${key} of the field ${name}`, field: name }];
  });
};

const kindOf = (comparison: Comparison, states: FieldStates, key: string): Change["kind"] => {
  const { type, hasNewValue } = states;
  if (key === "Ff" && isOnlyLocked(comparison, states)) return "form_filling";
  if (type === "Sig") return kindOfSigned(states, key);
  if (filled.has(key)) return "form_filling";
  // The shown text without the value: a shadow of the signed document.
  return key === "AP" && hasNewValue ? "form_filling" : "content";
};

/** Only who signs an empty field may dress it. A time-stamp shows nothing. */
const kindOfSigned = ({ signature, isSeen }: FieldStates, key: string): Change["kind"] => {
  if (signature === undefined || !signed.has(key)) return "content";
  if (!signature.isTimestamp) return "signature";
  return key !== "V" && isSeen ? "content" : "timestamp";
};

/** Whether only the flag 'read only' was set, as signers do that lock fields. */
const isOnlyLocked = ({ before, after }: Comparison, states: FieldStates): boolean => {
  const [a, b] = [before.resolve(states.before.get("Ff")), after.resolve(states.after.get("Ff"))];
  const former = a.kind === "number" ? a.value : 0;
  return b.kind === "number" && b.value === (former | 1);
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
  const { name } = field;
  const renamed: Change = {
    kind: "content",
    what: `the field ${old.name} is now named ${name}`,
    field: name,
  };
  return [
    ...(old.name === name ? [] : [renamed]),
    ...compareField(comparison, statesOf(comparison, old, field)),
  ];
};

/** Both states of a field. */
export const statesOf = (comparison: Comparison, old: Field, field: Field): FieldStates => {
  const { before, after, find } = comparison;
  const former = old.entries.get("V");
  return {
    name: field.name,
    type: old.type,
    before: old.entries,
    after: field.entries,
    hasNewValue: find(former, field.entries.get("V")) !== undefined,
    signature: before.resolve(former).kind === "null" ? findSignature(after, field) : undefined,
    isSeen: isSeen(after, field.entries),
  };
};

const added = (view: View, field: Field): Change => {
  const { name } = field;
  const signature = field.type === "Sig" ? findSignature(view, field) : undefined;
  if (signature?.isTimestamp === true && !isSeen(view, field.entries)) {
    return { kind: "timestamp", what: `the document time-stamp ${name}`, field: name };
  }
  const isEmpty = field.type === "Sig" && view.resolve(field.entries.get("V")).kind === "null";
  const isSigned = signature?.isTimestamp === false;
  // An empty field with an appearance shows what no signer signed ('sneaky signature', Rohlmann and others,
  // IEEE S&P 2021).
  const kind = isSigned || (isEmpty && !isSeen(view, field.entries)) ? "signature" : "content";
  const noun = field.type === "Sig" ? "signature field" : "field";
  return { kind, what: `the ${noun} ${name} was added`, field: name };
};

/** Entries that draw or act: an appearance, actions, and any entry that stands there twice. */
const isLively = (entries: Entries): boolean =>
  [...entries.keys()].some((key) => ["AP", "A", "AA"].includes(key) || key.endsWith(" (repeated)"));

/** Whether a field, or a widget below it, draws or acts on a page. */
const isSeen = (view: View, entries: Entries): boolean =>
  [entries, ...itemsOf(view, entries.get("Kids")).map((kid) => dictionaryOf(view, kid))].some((one) => {
    const [x1, y1, x2, y2] = itemsOf(view, one.get("Rect")).map((side) => {
      const number = view.resolve(side);
      return number.kind === "number" ? number.value : 0;
    });
    const hasArea = x1 !== x2 && y1 !== y2;
    return one.has("AA") || (isLively(one) && (hasArea || one.has("Rect (repeated)")));
  });
