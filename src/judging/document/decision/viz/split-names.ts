import type { ModelField } from "../models/document-model.ts";
import type { FieldResult } from "./viz-field.ts";

/**
 * Particles belong to the name after them: with one, counting words does not give the length of a surname.
 */
const particles: ReadonlySet<string> = new Set(
  "DA DAS DE DEL DI DO DOS E LA LAS LOS SAN SANTA VON VAN Y".split(" "),
);

/** Our choice: most people of a country have as many surnames as its model states, some do not. */
const splitFactor = 0.95;

/**
 * Splits two values under one label that were read as one line. The first has as many words as its model
 * states, the rest is the second. Where this is ambiguous, neither has a value.
 */
export const splitJoined = (parts: readonly FieldResult[]): readonly FieldResult[] => {
  const split = parts.flatMap((part) => splitOf(part, parts));
  return parts.map((part) => split.find(({ field }) => field === part.field) ?? part);
};

const splitOf = (
  { field, found, isLabelled }: FieldResult,
  parts: readonly FieldResult[],
): readonly FieldResult[] => {
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
    return [{ field, found: undefined, isLabelled }];
  }
  const partOf = (of: ModelField, value: readonly string[]): FieldResult => ({
    field: of,
    isLabelled,
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
