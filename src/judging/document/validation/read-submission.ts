import { Failure } from "#contract/failure";
import type { Blobs } from "#machine/storage/blobs";
import { type GetValidation, getValidationStatus, type HeldValidations } from "./find-validation.ts";

/** The current images of a validation and the operation of their call. */
export type Submission = {
  /** As they were sent; undefined after their retention, and where there was none. */
  readonly front: Uint8Array | undefined;
  readonly back: Uint8Array | undefined;
  readonly operation?: { readonly id: string; readonly call?: string };
};

/** {@link readSubmission} of one deployment. */
export type ReadSubmission = (...of: Parameters<GetValidation>) => Promise<Submission>;

/** An image that is not kept any more, or damaged, is not there. */
const orAbsent = (error: unknown): undefined => {
  if (error instanceof Failure && (error.code === "not_found" || error.code === "stored_damaged")) return;
  throw error;
};

/** Fails with not_found as {@link getValidationStatus}. */
export const readSubmission = async (
  held: HeldValidations & { readonly blobs: Pick<Blobs, "get"> },
  ...[caller, id]: Parameters<ReadSubmission>
): Promise<Submission> => {
  const validation = await getValidationStatus(held, caller, id);
  const input = await held.sealing.openInput(validation, validation.sealedInput);
  const { frontBlobId, backBlobId, operation } = input;
  const read = (blobId: string) => held.blobs.get(caller.tenantId, blobId).catch(orAbsent);
  return {
    front: await read(frontBlobId),
    back: backBlobId === null ? undefined : await read(backBlobId),
    ...(operation && {
      operation: { id: operation.id, ...(operation.call !== undefined && { call: operation.call }) },
    }),
  };
};
