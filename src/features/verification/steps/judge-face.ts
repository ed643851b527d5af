import { Failure, type FailureCode } from "#contract/failure";
import type { VerificationReason } from "#contract/verification";
import type { FaceCall } from "#judging/face/service";
import { findDocument } from "../findings.ts";
import { openDocumentImage } from "../open-images.ts";
import { type DocumentReference, referenceOf } from "../reference.ts";
import { readFaceRecord } from "../step-records.ts";
import type { VerificationContent } from "../verification.ts";
import type { Verification } from "../verifications.ts";
import { callOf, type RunDeps, readImage } from "./step.ts";

/**
 * Judges liveness and comparison of the selfie, unless an earlier run did. The record of the call has the
 * result. The document, if there is one, must be decided: its portrait is the reference.
 */
export const judgeFace = async (
  deps: RunDeps,
  verification: Verification,
  signal: AbortSignal,
): Promise<VerificationContent> => {
  const { content, tenantId } = verification;
  const id = content.transactions.face;
  const former = await deps.store.findTransaction(tenantId, id);
  if (former !== undefined) return { ...content, face: readFaceRecord(former) };
  const found = await findDocument(deps, verification);
  const reference = found && referenceOf(found);
  if (found !== undefined && reference === undefined)
    return { ...content, face: { refused: "portrait_unusable" } };
  try {
    await judgeOnce(deps, verification, reference, callOf(verification, id, signal));
  } catch (error) {
    const refused = reasonOf(error);
    if (refused === undefined) throw error;
    return { ...content, face: { refused } };
  }
  const record = await deps.store.findTransaction(tenantId, id);
  if (record === undefined) throw new Error("A face call left no record");
  return { ...content, face: readFaceRecord(record) };
};

const judgeOnce = async (
  deps: RunDeps,
  verification: Verification,
  reference: DocumentReference | undefined,
  call: FaceCall,
): Promise<void> => {
  const { userId } = verification.content;
  const judges = deps.judgesOf(call.caller);
  const selfie = await readImage(deps, verification, "selfie");
  if (userId !== undefined) {
    const probe = { kind: "best-image" as const, token: selfie };
    await judges.authenticateUser(call, { endpoint: "authenticateUserV2", userId, probe });
    return;
  }
  if (reference === undefined) throw new Error("A face of a document is judged without its reference");
  const sent = await readImage(deps, verification, reference.image);
  const image = await openDocumentImage(judges, call, sent);
  await judges.verifyIdentity(call, { image, ...reference.part }, selfie);
};

/** Failures that end the face step: no further try changes them. */
const reasons: Partial<Readonly<Record<FailureCode, VerificationReason>>> = {
  token_replayed: "selfie_used",
  token_expired: "selfie_unusable",
  token_unreadable: "selfie_unusable",
  token_wrong_kind: "selfie_unusable",
  liveness_level_too_low: "selfie_unusable",
  user_unknown: "user_unknown",
  user_paused: "user_paused",
  user_disabled: "user_disabled",
};

const imageCodes: readonly FailureCode[] = ["image_unreadable", "image_unsupported", "image_too_large"];

const reasonOf = (error: unknown): VerificationReason | undefined => {
  if (!(error instanceof Failure)) return undefined;
  if (imageCodes.includes(error.code))
    return error.facts["input"] === "reference" ? "portrait_unusable" : "selfie_unusable";
  return reasons[error.code];
};
