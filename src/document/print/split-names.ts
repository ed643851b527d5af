import type { ModelField } from "../models/document-model.ts";
import type { PrintedField } from "./printed-fields.ts";

/** A field of the model with what was found of it. */
export type Part = { readonly field: ModelField; readonly found: PrintedField | undefined };

/** Words that belong to the name behind them: how many words a surname has with them is not told by counting. */
const particles: ReadonlySet<string> = new Set(
  "DA DAS DE DEL DI DO DOS E LA LAS LOS SAN SANTA VON VAN Y".split(" "),
);

/** Chosen: most people of a country have as many surnames as its model says, some have not. */
const splitFactor = 0.95;

/**
 * Two values under one label of which one line alone was read: the first has the words that its model says, the rest is the
 * second's. Where that cannot be told, neither is answered.
 */
export const splitJoined = (parts: readonly Part[]): readonly Part[] => {
  const split = parts.flatMap((part) => splitOf(part, parts));
  return parts.map((part) => split.find(({ field }) => field === part.field) ?? part);
};

const splitOf = ({ field, found }: Part, parts: readonly Part[]): readonly Part[] => {
  const { words: count } = field;
  const next = parts.find((part) => isNextRow(field, part.field));
  const words = found?.value.split(" ") ?? [];
  if (
    count === undefined ||
    found === undefined ||
    next === undefined ||
    next.found !== undefined ||
    words.length <= count
  ) {
    return [];
  }
  if (words.some((word) => particles.has(word.toUpperCase()))) {
    return [{ field, found: undefined }];
  }
  const partOf = (of: ModelField, value: readonly string[]): Part => ({
    field: of,
    found: {
      ...found,
      name: of.name,
      value: value.join(" "),
      raw: value.join(" "),
      confidence: found.confidence * splitFactor,
    },
  });
  return [partOf(field, words.slice(0, count)), partOf(next.field, words.slice(count))];
};

const isNextRow = (field: ModelField, other: ModelField): boolean =>
  other.side === field.side &&
  other.row === (field.row ?? 0) + 1 &&
  other.labels.some((label) => field.labels.includes(label));
