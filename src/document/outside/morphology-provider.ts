import type { VerificationStatus } from "#contract/verification-code";
import type { DeclaredType } from "../finding.ts";
import type { VerificationRecord } from "../verification-record.ts";

/** What is announced of a document before any picture of it leaves. */
export type AnnouncedDocument = {
  /** The validation's own random reference, by which the provider's console finds it. */
  readonly reference: string;
  readonly type: DeclaredType;
  /** Declared issuing country, alpha-3. */
  readonly country: string;
};

export type SentPicture = {
  readonly side: "front" | "back";
  readonly format: "jpeg" | "png";
  readonly bytes: Uint8Array;
};

/** What a provider found: its decision with its reason as it says it, and what it read. What it does not tell is null. */
export type ToldDecision = {
  /** `Expired/Abandoned`: it ended the session without having decided. */
  readonly status: Exclude<VerificationStatus, "Started" | "Submitted">;
  readonly reason: string | null;
  /** Of the provider's table, which may be longer than the interface's. */
  readonly reasonCode: number | null;
  readonly document: VerificationRecord["document"];
  readonly person: VerificationRecord["person"];
};

/**
 * A provider outside that judges documents in place of this service. Each call fails with ProviderError, and with the
 * signal's reason where it is aborted. A picture that comes twice, and a second `submit`, do no harm.
 */
export type MorphologyProvider = {
  readonly name: string;
  /** Opens a session and answers its id; no picture leaves yet. */
  readonly openSession: (document: AnnouncedDocument, signal: AbortSignal) => Promise<string>;
  readonly sendPicture: (session: string, picture: SentPicture, signal: AbortSignal) => Promise<void>;
  /** Says that all pictures are there. */
  readonly submit: (session: string, signal: AbortSignal) => Promise<void>;
  /** Undefined while it is undecided. */
  readonly findDecision: (session: string, signal: AbortSignal) => Promise<ToldDecision | undefined>;
  /** Resolves where the provider answers and takes the credentials; opens nothing there. */
  readonly checkAccess: (signal: AbortSignal) => Promise<void>;
};

/** A provider did not answer as it should. The message names host, status and code, never what was sent or came. */
export class ProviderError extends Error {
  override readonly name = "ProviderError";
  /** Whether the same call may succeed later: an outage, a load, or credentials that the operator can mend. */
  readonly isPassing: boolean;

  constructor(message: string, isPassing: boolean, options?: ErrorOptions) {
    super(message, options);
    this.isPassing = isPassing;
  }
}
