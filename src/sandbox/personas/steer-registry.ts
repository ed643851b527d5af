import { Failure, type FailureCode } from "#contract/failure";
import type { FindRegistry, Registry, RegistryAnswer, RegistryCountry } from "#features/registry/registry";

/** What the registry of a persona answers: an answer, or a declared failure. */
export type SteeredRegistry = {
  readonly country: RegistryCountry;
  /** Digits of the document number that asks for it. */
  readonly number: string;
  readonly answer: RegistryAnswer | { readonly kind: "failure"; readonly code: FailureCode };
};

const digitsOf = (number: string): string => number.replaceAll(/\D/gu, "");

/**
 * The registries of test keys. A number of a persona gets its answer, and the comparison judges it as any
 * other. Every other number goes to the configured registry, or has none. Live keys reach theirs alone.
 */
export const steerRegistry =
  (findRegistry: FindRegistry, steered: readonly SteeredRegistry[]): FindRegistry =>
  (environment, country, documentNumber) => {
    const configured = findRegistry(environment, country, documentNumber);
    if (environment !== "test") return configured;
    const own = steered.filter((one) => one.country === country && isAsked(one, documentNumber));
    const isSteered = own.length > 0 && (documentNumber !== undefined || configured === undefined);
    return isSteered ? registryOf(country, own) : configured;
  };

/** Without a number, each persona of the country may be asked about. */
const isAsked = ({ number }: SteeredRegistry, documentNumber: string | undefined): boolean =>
  documentNumber === undefined || number === digitsOf(documentNumber);

const registryOf = (country: RegistryCountry, own: readonly SteeredRegistry[]): Registry => ({
  connector: "gateway",
  legalBasis: "Persona of the sandbox",
  ask: async ({ documentNumber }) => {
    const found = own.find((one) => isAsked(one, documentNumber));
    if (found === undefined) throw new Failure("registry_not_configured", { country });
    if (found.answer.kind === "failure") throw new Failure(found.answer.code);
    return found.answer;
  },
});
