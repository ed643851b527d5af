import type { Caller } from "#contract/endpoint";

/**
 * The answer of a civil registry about a document: its data agrees, differs (123), or there was no answer in
 * time (544). A deployment without a registry records the finding as unknown.
 */
export type RegistryAnswer = "agrees" | "differs" | "silent";

/** The query of a civil registry: whose validation asks, and what its document states. */
export type RegistryQuestion = {
  readonly owner: Pick<Caller, "tenantId" | "environment">;
  /** Reference of the validation. */
  readonly validation: string;
  /** Issuing country, alpha-3. */
  readonly country: string;
  readonly number: string;
  /** The number of the holder, where it is another one: a passport has it beside its own. */
  readonly personalNumber: string | null;
  readonly isPassport: boolean;
  readonly sex: string | null;
  /** Código dactilar (ECU), número de trámite (ARG). */
  readonly documentCode: string | null;
  readonly lastName: string | null;
  readonly firstName: string | null;
  readonly dateOfBirth: string | null;
};

/**
 * Queries a civil registry; undefined for a country that it does not cover. Never rejects: silence is an
 * answer.
 */
export type CivilRegistry = (
  question: RegistryQuestion,
  signal: AbortSignal,
) => Promise<RegistryAnswer | undefined>;
