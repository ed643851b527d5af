import type { FaceCall } from "#judging/face/service";
import type { TrackDecision } from "#record/transactions/operation-step";
import type { TransactionCommands } from "#record/transactions/store/transaction-store";
import type { OneImageRule } from "../judge-one-image.ts";
import type { Ports } from "../ports.ts";
import type { VerificationImages } from "../verification.ts";
import type { Verification, VerificationDeps } from "../verifications.ts";

/** What the job of a verification has. */
export type RunDeps = VerificationDeps &
  Pick<Ports, "judgesOf" | "validations" | "captures"> & {
    readonly store: VerificationDeps["store"] & Pick<TransactionCommands, "findTransaction">;
    readonly trackDecision: TrackDecision;
    readonly oneImage: OneImageRule;
    /** Lease holder. */
    readonly holder: string;
  };

/**
 * The call of a step. Its key is the key that created the verification, and its time is when the images were
 * there, so that the ages of tokens count from then.
 */
export const callOf = (
  { tenantId, environment, keyId, operationId, content }: Verification,
  transactionId: string,
  signal: AbortSignal,
): FaceCall => ({
  caller: { tenantId, environment, keyId },
  transactionId,
  receivedAt: new Date(imagesOf(content).at),
  signal,
  tracking: { operationId },
});

/** The images of a verification whose capture is over. */
export const imagesOf = ({ images }: Verification["content"]): VerificationImages => {
  if (images === undefined) throw new Error("A step began before its images were there");
  return images;
};

/** The bytes of one image. */
export const readImage = async (
  { blobs }: Pick<VerificationDeps, "blobs">,
  { tenantId, content }: Verification,
  name: "selfie" | "front" | "back",
): Promise<Uint8Array> => {
  const object = imagesOf(content)[name];
  if (object === undefined) throw new Error(`A verification of its flow has no ${name}`);
  return await blobs.get(tenantId, object.id);
};
