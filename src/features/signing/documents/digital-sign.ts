import type { Call } from "#contract/endpoint";
import { Failure } from "#contract/failure";
import type { EvidenceEntry } from "#record/transactions/record";
import type { CallEntry } from "#record/transactions/record-call";
import type { SignDocument, SignedDocument } from "../evidence/sign-document.ts";
import type { WantedAppearance } from "../evidence/signing-revision.ts";
import type { Place } from "../evidence/statement.ts";
import { readContact } from "./contact.ts";
import type { ReadAuthentication, SentAuthentication } from "./read-authentication.ts";

/** A document to sign, with the person's authentication, contact and place. */
export type SigningWish = {
  readonly file: Uint8Array;
  readonly contact: string;
  readonly authentication: SentAuthentication;
  readonly place: Place;
  readonly signingType: string;
  /** Absent: an invisible signature. */
  readonly appearance?: WantedAppearance;
};

/** The call that the use case answers; part of the contract's `Call`. */
export type SigningCall = Pick<
  Call<unknown>,
  "caller" | "transactionId" | "receivedAt" | "signal" | "appName" | "tracking" | "family" | "deferCommit"
>;

/**
 * Writes the record of a signing with its evidence, and the step of its operation, in one commit. Made by
 * `recordCall` alone, or by `makeKeepDocument` (keep-document.ts), which keeps the document too.
 */
export type RecordSigning = (
  call: SigningCall,
  entry: CallEntry & { readonly evidence: readonly EvidenceEntry[] },
  signed: Pick<SignedDocument, "parts" | "level" | "sha256" | "provableUntil">,
) => Promise<void>;

export type DigitalSignDeps = {
  readonly readAuthentication: ReadAuthentication;
  readonly signDocument: SignDocument;
  readonly recordSigning: RecordSigning;
  /** Largest file. */
  readonly bytesMax: number;
  readonly newId: () => string;
  readonly clock: () => Date;
};

/** Made by {@link makeDigitalSign}. */
export type DigitalSign = (call: SigningCall, wish: SigningWish) => Promise<SignedDocument>;

/** Kinds of evidence that a signing writes. */
export const signingEvidenceKinds = ["document_signed"] as const;

/** Version of the statement and of the rules around it. */
const policyVersion = "signing-1";

const entryOf = (
  { newId, clock }: DigitalSignDeps,
  call: SigningCall,
  authentication: string,
  signed: SignedDocument,
): Parameters<RecordSigning>[1] => {
  const { level, signer, fieldName, document, statementSha256, sha256 } = signed;
  const { repaired } = document;
  const facts = {
    authentication,
    level,
    signer,
    document: { ...document.sent },
    ...(repaired && { repaired: { ...repaired } }),
    statement: statementSha256,
    signed: sha256,
  };
  const body = { transaction: call.transactionId, ...facts };
  return {
    endpoint: "digitalSign",
    result: { code: 0, level },
    measurements: { ...facts, fieldName },
    policyVersion,
    evidence: [{ id: newId(), kind: signingEvidenceKinds[0], at: clock(), body }],
  };
};

/**
 * Signs a document on the ground of a positive authentication of the same tenant. Cheap checks come first.
 * The record, its evidence and the step of the operation commit before the answer; after a failure nothing is
 * stored. Fails with contact_unreadable, not_found, transaction_not_positive, transaction_too_old,
 * authentication_hash_wrong, pdf_too_large, or as {@link SignDocument}.
 */
export const makeDigitalSign =
  (deps: DigitalSignDeps): DigitalSign =>
  async (call, { file, contact, authentication: sent, place, signingType, appearance }) => {
    const { bytesMax } = deps;
    const person = readContact(contact);
    if (file.length > bytesMax) throw new Failure("pdf_too_large", { bytes: file.length, bytesMax });
    const now = deps.clock();
    const authentication = await deps.readAuthentication(call.caller, sent, now);
    const facts = {
      transaction: call.transactionId,
      at: now.toISOString(),
      signingType,
      contact: person,
      place,
      authentication,
    };
    const signed = await deps.signDocument(file, { facts, ...(appearance && { appearance }) }, call.signal);
    await deps.recordSigning(call, entryOf(deps, call, authentication.transaction, signed), signed);
    return signed;
  };
