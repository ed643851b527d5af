import type { VerificationStatus } from "#contract/verification-code";
import type { DeclaredType } from "../../decision/finding.ts";
import type { VerificationRecord } from "../../decision/verification-record.ts";

/** Data of a document that the provider gets before the images. */
export type AnnouncedDocument = {
  /** The random reference of the validation, for searches in the provider's console. */
  readonly reference: string;
  readonly type: DeclaredType;
  /** Declared issuing country, alpha-3. */
  readonly country: string;
};

export type SentImage = {
  readonly side: "front" | "back";
  readonly format: "jpeg" | "png";
  readonly bytes: Uint8Array;
};

/**
 * Decision of a provider, with its own reason and the values that it read. Values that it does not report are
 * null.
 */
export type ProviderDecision = {
  /** `Expired/Abandoned`: the session ended without a decision. */
  readonly status: Exclude<VerificationStatus, "Started" | "Submitted">;
  readonly reason: string | null;
  /** From the provider's table, which may have codes that the interface does not have. */
  readonly reasonCode: number | null;
  readonly document: VerificationRecord["document"];
  readonly person: VerificationRecord["person"];
};

/**
 * An external provider that decides about documents in place of this service. Each call fails with
 * ProviderError, or with the reason of the signal if it aborts. A repeated image and a repeated `submit` have
 * no effect.
 */
export type MorphologyProvider = {
  readonly name: string;
  /** Opens a session and returns its id. Sends no image. */
  readonly openSession: (document: AnnouncedDocument, signal: AbortSignal) => Promise<string>;
  readonly sendImage: (session: string, image: SentImage, signal: AbortSignal) => Promise<void>;
  /** States that the session has all images. */
  readonly submit: (session: string, signal: AbortSignal) => Promise<void>;
  /** Undefined while there is no decision. */
  readonly findDecision: (session: string, signal: AbortSignal) => Promise<ProviderDecision | undefined>;
  /** Resolves if the provider answers and accepts the credentials. Opens no session. */
  readonly checkAccess: (signal: AbortSignal) => Promise<void>;
};
