import { Failure, type FailureCode } from "#contract/failure";
import type { FindRegistry, Registry, RegistryAnswer, RegistryCountry } from "#registry/registry";

/** What the registry of a persona answers: an answer, or a declared failure. */
export type SteeredRegistry = {
  readonly country: RegistryCountry;
  /** Digits of the document number that asks for it. */
  readonly number: string;
  readonly answer: RegistryAnswer | { readonly kind: "failure"; readonly code: FailureCode };
};

const digitsOf = (number: string): string => number.replaceAll(/\D/gu, "");

/**
 * The registries of test keys. A number of a persona gets its answer, and the comparison judges it as any other. Every other
 * number goes to the configured registry. Live keys reach theirs alone.
 */
export const steerRegistry =
  (findRegistry: FindRegistry, steered: readonly SteeredRegistry[]): FindRegistry =>
  (environment, country) => {
    const configured = findRegistry(environment, country);
    const own = steered.filter((one) => one.country === country);
    if (environment !== "test" || own.length === 0) return configured;
    return {
      connector: configured?.connector ?? "gateway",
      legalBasis: configured?.legalBasis ?? "Persona of the sandbox",
      ask: async (question, signal) => {
        const found = own.find(({ number }) => number === digitsOf(question.documentNumber));
        if (found === undefined) return await askConfigured(configured, country)(question, signal);
        if (found.answer.kind === "failure") throw new Failure(found.answer.code);
        return found.answer;
      },
    };
  };

const askConfigured = (configured: Registry | undefined, country: RegistryCountry): Registry["ask"] => {
  if (configured === undefined) throw new Failure("registry_not_configured", { country });
  return configured.ask;
};
