import { bareOf, type NumberReading, type NumberRule } from "./number-rule.ts";
import { numberRules } from "./number-rules.ts";

/**
 * The canonical form of a document's number when its kind is unknown. Of the country's rules that the text
 * satisfies, the first of these decides: a rule that prints the number exactly so, a rule with a correct
 * check digit, a well-known rule, any rule. A text that satisfies no rule keeps its letters and digits. Does
 * not depend on the day.
 */
export const canonicalNumber = (country: string, text: string): string => {
  const asPrinted = text
    .normalize("NFKC")
    .toUpperCase()
    .trim()
    .replaceAll(/[\p{Pd}\u2212]/gu, "-");
  const kept = rulesOf(country)
    .map((rule) => ({ rule, reading: rule.read(text) }))
    .filter(({ reading }) => reading.validity !== "invalid");
  const ranks: readonly ((one: Kept) => boolean)[] = [
    ({ reading }) => reading.printed === asPrinted,
    ({ reading }) => reading.validity === "valid",
    ({ rule }) => rule.sure !== "?",
    () => true,
  ];
  const best = ranks.map((isOne) => kept.find(isOne)).find((one) => one !== undefined);
  return best?.reading.canonical ?? bareOf(text).replaceAll(/[^A-Z0-9]/g, "");
};

type Kept = { readonly rule: NumberRule; readonly reading: NumberReading };

const rulesOf = (country: string): readonly NumberRule[] =>
  Object.values(numberRules).filter((rule) => rule.country === country);
