import { compareNumbers } from "../comparison/compare-numbers.ts";
import type { Verdict } from "../comparison/comparison.ts";
import { type DocumentFields, sightingsOf } from "../fields.ts";
import type { Question } from "../finding.ts";
import type { ModelCheck } from "../models/document-model.ts";
import { finding } from "./answer.ts";
import { isBelieved } from "./believed.ts";
import { placeOf, strengthOfCheck } from "./model-checks.ts";

/**
 * Does a value stand in another where the card's model says so (507): a number in the tax number, the year of birth in the
 * number? A person looks; a check that only warns is noted in the evidence.
 */
export const askValuesFit: Question = ({ fields }) => {
  const compared = (fields.model?.checks ?? []).flatMap((check) => {
    const verdict = verdictOf(check, fields);
    return verdict === undefined ? [] : [{ check, strength: strengthOfCheck(check), verdict }];
  });
  const differing = compared.filter(({ verdict }) => verdict === "differs");
  const telling = differing.filter(({ strength }) => strength !== "warning");
  const namesOf = (some: typeof compared): string => some.flatMap(({ check }) => check.of).join(" ");
  return [
    finding({
      name: "values-do-not-fit",
      stage: "contradiction",
      code: 507,
      consequence: "review",
      source: "print",
      ...(telling.some(({ strength }) => strength === "exact") ? {} : { isHint: true as const }),
      holds: compared.length === 0 ? "unknown" : telling.length > 0,
      evidence: {
        values: namesOf(telling),
        noted: [namesOf(differing.filter((one) => !telling.includes(one))), ...unexpectedIn(fields)]
          .filter(Boolean)
          .join(" "),
      },
    }),
  ];
};

/** Optional data of the zone that the model says to be empty. */
const unexpectedIn = ({ model, mrz }: DocumentFields): readonly string[] =>
  (["optional1", "optional2"] as const).flatMap((name) =>
    model?.mrz?.[name] === "empty" && mrz !== undefined && mrz.fields[name] !== "" ? [`mrz.${name}`] : [],
  );

/** Undefined where one of the two was not read surely, or the check is of another kind. */
const verdictOf = ({ rule, of: [whole, part] }: ModelCheck, fields: DocumentFields): Verdict | undefined => {
  const believed = sightingsOf(fields).filter((sighting) => isBelieved(fields, sighting));
  const valueAt = (place: string | undefined): string | undefined =>
    believed.find((sighting) => placeOf(sighting) === place)?.value;
  const [long, short] = [valueAt(whole), valueAt(part)];
  if (rule === "same" || long === undefined || short === undefined) {
    return undefined;
  }
  return findWithin(digitsOf(long), rule === "yearWithin" ? short.slice(0, 4) : digitsOf(short));
};

const digitsOf = (text: string): string => text.replaceAll(/\D/g, "").replace(/^0+/, "");

/** The best that any stretch of the same length says. */
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
