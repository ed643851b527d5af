import type { registryFields } from "#contract/civil-code";
import type { registryCountries } from "#contract/country";
import type { Caller } from "#contract/endpoint";

export type Environment = Caller["environment"];

/** ISO 3166-1 alpha-3 code of a country whose civil registry can be asked. */
export type RegistryCountry = (typeof registryCountries)[number];

/**
 * What a registry states about a person. Dates are YYYY-MM-DD, sexes M, F or X, countries alpha-3, texts as
 * the registry writes them.
 */
export type RegistryField = (typeof registryFields)[number];

/** One question about one person. The number is in the canonical form of its country. */
export type RegistryQuestion = {
  readonly tenantId: string;
  readonly environment: Environment;
  /** The transaction of the call that asks. */
  readonly transactionId: string;
  readonly country: RegistryCountry;
  readonly documentNumber: string;
  /** Código dactilar (ECU), número de trámite (ARG). */
  readonly documentCode?: string;
  readonly gender?: "M" | "F";
  /** An open image of the person's face, for registries that ask for one. */
  readonly bestImage?: Uint8Array;
};

/** A person as the registry holds it. A field is absent where the registry has no value. */
export type RegistryPerson = {
  readonly fields: Readonly<Partial<Record<RegistryField, string>>>;
  /** An encoded image, not yet decoded: hostile until the engine has read it. */
  readonly photo?: Uint8Array;
};

/** `unknown`: the registry has no person with this number. */
export type RegistryAnswer =
  | { readonly kind: "person"; readonly person: RegistryPerson }
  | { readonly kind: "unknown" };

/** The registry of one country in one environment. Made by the connectors in `gateway/` and `local/`. */
export type Registry = {
  readonly connector: "gateway" | "local";
  /** Why this deployment may ask. The evidence of each question states it. */
  readonly legalBasis: string;
  /**
   * Fails with upstream_failed where the registry cannot be reached, is paused after failures, or answers
   * what its mapping does not accept, and with timed_out where it is silent for too long. Bounded in bytes
   * and time.
   */
  readonly ask: (question: RegistryQuestion, signal: AbortSignal) => Promise<RegistryAnswer>;
  /** Whether failures have paused it. Absent where it is never paused. */
  readonly isPaused?: () => boolean;
};

/**
 * The registry of a country for the keys of an environment; undefined where none is configured. With a number
 * it is the registry that answers a question about that number. Made in src/app.
 */
export type FindRegistry = (
  environment: Environment,
  country: RegistryCountry,
  documentNumber?: string,
) => Registry | undefined;
