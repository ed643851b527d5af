import type { SigningInstruction } from "./signing-revision.ts";
import type { SignedInput } from "./statement.ts";

/** A signed document. It is the parts one after the other; they are never joined in memory. */
export type SignedDocument = {
  readonly parts: readonly Uint8Array[];
  /** The level of the PAdES baseline: B-B, B-T, B-LT or B-LTA. */
  readonly level: "B-B" | "B-T" | "B-LT" | "B-LTA";
  /** Name of the signer's certificate. */
  readonly signer: string;
  readonly fieldName: string;
  readonly document: SignedInput;
  /** SHA-256 (hex) of the statement in the document. */
  readonly statementSha256: string;
  /** SHA-256 (hex) of all parts. */
  readonly sha256: string;
  /** End of the certificate of the document time-stamp; absent without one. */
  readonly provableUntil?: Date;
};

/**
 * Signs a PDF in a thread of its own. Takes over the memory of `file`. Fails with a failure of the file
 * (`pdf_…`), with signature_image_unreadable, timestamp_failed, signer_unusable, engine_busy or
 * engine_failed. Made by `openSigning` (src/app/signing.ts).
 */
export type SignDocument = (
  file: Uint8Array,
  instruction: SigningInstruction,
  signal: AbortSignal,
) => Promise<SignedDocument>;
