import { Alias, Document, isAlias, isCollection, isMap, isScalar, isSeq, Scalar, stringify } from "yaml";
import { isGroup, type Json } from "#contract/json";

const lineWidth = 110;
const indentStep = 2;

/** Quotes every text that a YAML 1.1 reader would parse as a time or a boolean: many readers still do. */
const form = { compat: "yaml-1.1", flowCollectionPadding: false, indentSeq: false } as const;

type WidthOf = (node: unknown) => number;

/** Columns of a value in a flow collection; infinite for a text of several lines. */
const writtenWidth = (value: unknown): number => {
  if (typeof value === "string" && value.includes("\n")) return Number.POSITIVE_INFINITY;
  const written = stringify([value], { ...form, collectionStyle: "flow", lineWidth: 0 });
  return written.trimEnd().length - "[]".length;
};

const widthOfList = (parts: readonly number[]): number =>
  parts.reduce((sum, part) => sum + part + ", ".length, 0);

/** Measures the columns of a node that is written in one line. */
const makeWidthOf = (): WidthOf => {
  const known = new Map<unknown, number>();
  const widthOfValue = (value: unknown): number => {
    const width = known.get(value) ?? writtenWidth(value);
    known.set(value, width);
    return width;
  };
  const widthOf: WidthOf = (node) => {
    if (isAlias(node)) return node.source.length + 1;
    if (isScalar(node)) return widthOfValue(node.value);
    if (isSeq(node)) return widthOfList(node.items.map(widthOf));
    if (!isMap(node)) return Number.POSITIVE_INFINITY;
    return widthOfList(node.items.map(({ key, value }) => widthOf(key) + ": ".length + widthOf(value)));
  };
  return widthOf;
};

/**
 * Writes each collection in one line that fits behind `column`; the parts of any other have a line each, from
 * `indent` on.
 */
const layOut = (node: unknown, widthOf: WidthOf, column: number, indent: number): void => {
  if (!isCollection(node)) return;
  if (column + widthOf(node) <= lineWidth) {
    node.flow = true;
  } else if (isMap(node)) {
    for (const { key, value } of node.items) {
      const inner = isSeq(value) ? indent : indent + indentStep;
      layOut(value, widthOf, indent + widthOf(key) + ": ".length, inner);
    }
  } else {
    for (const item of node.items) layOut(item, widthOf, indent + indentStep, indent + indentStep);
  }
};

/**
 * Whether a text is long JSON. It is written in one line, and without a backslash before each of its quotes.
 */
const isJsonText = (text: string): boolean =>
  text.startsWith("{") && text.length > lineWidth && !text.includes("\n");

/**
 * Gives a text its form: an anchor at the first place of a named one, an alias at each later one, JSON in a
 * line of its own.
 */
const makeTextForm = (named: Readonly<Record<string, string>>) => {
  const names = new Map(Object.entries(named).map(([name, text]) => [text, name]));
  const anchored = new Set<string>();
  return (text: string): Scalar | Alias => {
    const name = names.get(text);
    if (name !== undefined && anchored.has(name)) return new Alias(name);
    const scalar = new Scalar(text);
    if (isJsonText(text)) scalar.type = Scalar.BLOCK_LITERAL;
    if (name !== undefined) {
      scalar.anchor = name;
      anchored.add(name);
    }
    return scalar;
  };
};

const withTexts = (value: Json, formOf: (text: string) => unknown): unknown => {
  if (typeof value === "string") return formOf(value);
  if (Array.isArray(value)) return value.map((part) => withTexts(part, formOf));
  if (!isGroup(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, withTexts(part, formOf)]));
};

/**
 * The YAML form of a specification, the same bytes for the same document. What fits in a line stands in one.
 * Each of the named texts stands once, as an anchor with its name; an alias takes its place elsewhere.
 */
export const toYaml = (value: Json, named: Readonly<Record<string, string>> = {}): string => {
  const options = { ...form, aliasDuplicateObjects: false };
  const document = new Document(withTexts(value, makeTextForm(named)), options);
  layOut(document.contents, makeWidthOf(), 0, 0);
  return document.toString({ ...form, lineWidth });
};
