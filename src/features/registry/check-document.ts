import { identityFields } from "#contract/civil-code";
import { Failure } from "#contract/failure";
import type {
  CivilRegistry,
  RegistryQuestion as DocumentQuestion,
} from "#judging/document/decision/watchlists/civil-registry";
import { type AskDeps, askRegistry } from "./ask-registry.ts";
import { comparePerson } from "./compare-person.ts";
import { isRegistryCountry, registryOf } from "./countries/countries.ts";
import type { CountryRegistry } from "./countries/country-registry.ts";
import { codeOf, judgeNumber } from "./judge-number.ts";
import type { RegistryAnswer, RegistryQuestion } from "./registry.ts";

export type CheckDeps = AskDeps & {
  readonly clock: () => Date;
  /** Reports an error that is neither an outage nor a silence of the registry. */
  readonly onError: (note: string, error: unknown) => void;
};

/**
 * The registries of civilValidation for the documents of a validation: `differs` where the registry does not
 * have the person, or holds another number, name, birth date or sex. Undefined where the country has no
 * registry here, where the document shows too little for its question, and where no identity field could be
 * compared.
 */
export const makeCheckDocument =
  (deps: CheckDeps): CivilRegistry =>
  async (document, signal) => {
    const { country, owner } = document;
    if (!isRegistryCountry(country) || deps.findRegistry(owner.environment, country) === undefined)
      return undefined;
    const at = deps.clock();
    const day = at.toISOString().slice(0, 10);
    const question = questionOf(document, registryOf(country), day);
    if (question === undefined) return undefined;
    try {
      const answer = await askRegistry(deps, question, { at, day, purpose: "documentValidation" }, signal);
      return judgeAnswer(document, question, answer, day);
    } catch (error) {
      const isOutage = error instanceof Failure && ["upstream_failed", "timed_out"].includes(error.code);
      if (!isOutage && !signal.aborted)
        deps.onError("A document could not be checked in its civil registry", error);
      return "silent";
    }
  };

/** Undefined where the document lacks what the registry needs. No face is sent: no validation has one. */
const questionOf = (
  document: DocumentQuestion,
  registry: CountryRegistry,
  day: string,
): RegistryQuestion | undefined => {
  const texts = [...(document.isPassport ? [] : [document.number]), document.personalNumber];
  const numbers = texts.flatMap((text) => {
    const judged = text === null ? undefined : judgeNumber(registry, text, day);
    return judged !== undefined && "canonical" in judged ? [judged.canonical] : [];
  });
  const [documentNumber] = numbers;
  const documentCode = codeOf(registry, document.documentCode ?? undefined, day);
  const gender = document.sex === "M" || document.sex === "F" ? document.sex : undefined;
  const lacksCode = registry.requiresCode === true && documentCode === undefined;
  const lacksGender = registry.takesGender && gender === undefined;
  if (documentNumber === undefined || lacksCode || lacksGender) return undefined;
  return {
    ...document.owner,
    transactionId: document.validation,
    country: registry.country,
    documentNumber,
    ...(documentCode !== undefined && { documentCode }),
    ...(registry.takesGender && gender !== undefined && { gender }),
  };
};

const judgeAnswer = (
  { lastName, firstName, dateOfBirth, sex }: DocumentQuestion,
  { country }: RegistryQuestion,
  answer: RegistryAnswer,
  day: string,
): "agrees" | "differs" | undefined => {
  if (answer.kind === "unknown") return "differs";
  const sent = {
    ...(lastName !== null && { lastName }),
    ...(firstName !== null && { firstName }),
    ...(dateOfBirth !== null && { dateOfBirth }),
    ...(sex !== null && { gender: sex }),
  };
  const compared = comparePerson(sent, answer.person.fields, registryOf(country), day).filter(({ field }) =>
    identityFields.some((name) => name === field && name !== "documentNumber"),
  );
  if (compared.some(({ result }) => result === "different")) return "differs";
  return compared.some(({ result }) => result === "agrees" || result === "similar") ? "agrees" : undefined;
};
