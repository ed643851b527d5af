import { canonicalJson } from "#contract/canonical-json";
import type { Json } from "#contract/json";

/**
 * Below this magnitude Python and PHP write a number with another exponent than ECMAScript: 1e-05 for
 * 0.00001. A receiver that parses an event and writes it again would then get other bytes than the signed
 * ones.
 */
const magnitudeMin = 1e-4;

/** Significant decimals that remain of a smaller number: it becomes 0 or ±0.0001. */
const decimals = 4;

/**
 * The value as each usual JSON library writes it again with the same bytes: a lone surrogate is replaced by
 * U+FFFD, as in UTF-8, and a number between 0 and ±0.0001 is rounded to one of them. An accepted event can
 * thus always be sent.
 */
export const receivable = (value: Json): Json => {
  if (typeof value === "string") return value.toWellFormed();
  if (typeof value === "number") return receivableNumber(value);
  if (value === null || typeof value !== "object") return value;
  if (isList(value)) return value.map(receivable);
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key.toWellFormed(), receivable(member)]),
  );
};

const receivableNumber = (value: number): number =>
  Math.abs(value) < magnitudeMin ? Number(value.toFixed(decimals)) + 0 : value;

// Array.isArray does not narrow readonly arrays.
const isList = (value: Json): value is readonly Json[] => Array.isArray(value);

/** Canonical JSON of RFC 8785. Throws on a lone surrogate and on a number that is not finite. */
export const canonicalText = (value: Json): string => {
  refuseLoneSurrogates(value);
  return canonicalJson(value);
};

const refuseLoneSurrogates = (value: Json): void => {
  if (typeof value === "string" && !value.isWellFormed()) {
    throw new Error("A text holds half of a surrogate pair, which RFC 8785 refuses");
  }
  if (value === null || typeof value !== "object") return;
  for (const [key, member] of Object.entries(value)) {
    refuseLoneSurrogates(key);
    refuseLoneSurrogates(member);
  }
};
