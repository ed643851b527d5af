import { compareNumbers } from "../../values/comparison/compare-numbers.ts";
import type { Verdict } from "../../values/comparison/comparison.ts";
import { type DocumentFields, fieldReadingsOf } from "../fields.ts";
import type { FindingRule } from "../finding.ts";
import type { ModelCheck } from "../models/document-model.ts";
import { isReliable } from "../trust-level.ts";
import { finding } from "./finding-defaults.ts";
import { placeOf, strengthOfCheck } from "./model-checks.ts";

/**
 * A value is not contained in another value although the card's model states it (507): a number in the tax
 * number, or the year of birth in the number. It goes to review. A check that only warns is noted in the
 * evidence.
 */
export const valuesContainedRule: FindingRule = ({ fields }) => {
  const compared = (fields.model?.checks ?? []).flatMap((check) => {
    const verdict = verdictOf(check, fields);
    return verdict === undefined ? [] : [{ check, strength: strengthOfCheck(check), verdict }];
  });
  const differing = compared.filter(({ verdict }) => verdict === "differs");
  const counting = differing.filter(({ strength }) => strength !== "warning");
  const namesOf = (some: typeof compared): string => some.flatMap(({ check }) => check.of).join(" ");
  return [
    finding({
      name: "values-do-not-fit",
      stage: "contradiction",
      code: 507,
      consequence: "review",
      source: "print",
      ...(counting.some(({ strength }) => strength === "exact") ? {} : { isHint: true as const }),
      holds: compared.length === 0 ? "unknown" : counting.length > 0,
      evidence: {
        values: namesOf(counting),
        noted: [namesOf(differing.filter((one) => !counting.includes(one))), ...unexpectedIn(fields)]
          .filter(Boolean)
          .join(" "),
      },
    }),
  ];
};

/** Optional data of the MRZ that should be empty by the model. */
const unexpectedIn = ({ model, mrz }: DocumentFields): readonly string[] =>
  (["optional1", "optional2"] as const).flatMap((name) =>
    model?.mrz?.[name] === "empty" && mrz !== undefined && mrz.fields[name] !== "" ? [`mrz.${name}`] : [],
  );

/** Undefined where one of the two values is not reliable, or the check is of another kind. */
const verdictOf = ({ rule, of: [whole, part] }: ModelCheck, fields: DocumentFields): Verdict | undefined => {
  const reliable = fieldReadingsOf(fields).filter((reading) => isReliable(fields, reading));
  const valueAt = (place: string | undefined): string | undefined =>
    reliable.find((reading) => placeOf(reading) === place)?.value;
  const [long, short] = [valueAt(whole), valueAt(part)];
  if (rule === "same" || long === undefined || short === undefined) {
    return undefined;
  }
  return findWithin(digitsOf(long), rule === "yearWithin" ? short.slice(0, 4) : digitsOf(short));
};

const digitsOf = (text: string): string => text.replaceAll(/\D/g, "").replace(/^0+/, "");

/** The best verdict of all substrings of the same length. */
const findWithin = (long: string, short: string): Verdict => {
  const verdicts = Array.from(
    { length: Math.max(0, long.length - short.length + 1) },
    (_, from) => compareNumbers(long.slice(from, from + short.length), short).verdict,
  );
  return (
    verdicts.find((verdict) => verdict === "same") ??
    verdicts.find((verdict) => verdict === "unsure") ??
    "differs"
  );
};
