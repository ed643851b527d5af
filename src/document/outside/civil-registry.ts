/**
 * What a civil registry says of a document: its data agrees, differs (123), or nobody answered in time (544). A
 * deployment without one leaves the question open, and that is recorded.
 */
export type RegistryAnswer = "agrees" | "differs" | "silent";

export type RegistryQuestion = {
  /** Issuing country, alpha-3. */
  readonly country: string;
  readonly number: string;
  readonly lastName: string | null;
  readonly firstName: string | null;
  readonly dateOfBirth: string | null;
};

/** A country's registry, or undefined for a country that it does not keep. Never rejects: silence is an answer. */
export type CivilRegistry = (
  question: RegistryQuestion,
  signal: AbortSignal,
) => Promise<RegistryAnswer | undefined>;
