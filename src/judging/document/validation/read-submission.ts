import { Failure } from "#contract/failure";
import type { Blobs } from "#machine/storage/blobs";
import type { GetValidationStatus } from "./find-validation.ts";
import type { Sealing } from "./sealed.ts";

/** The current images of a validation and the operation of their call. */
export type Submission = {
  /** As they were sent; undefined after their retention, and where there was none. */
  readonly front: Uint8Array | undefined;
  readonly back: Uint8Array | undefined;
  readonly operation?: { readonly id: string; readonly call?: string };
};

/** Fails with not_found as {@link GetValidationStatus}. Made by {@link makeReadSubmission}. */
export type ReadSubmission = (...of: Parameters<GetValidationStatus>) => Promise<Submission>;

/** An image that is not kept any more, or damaged, is not there. */
const orAbsent = (error: unknown): undefined => {
  if (error instanceof Failure && (error.code === "not_found" || error.code === "stored_damaged")) return;
  throw error;
};

export const makeReadSubmission =
  (getStatus: GetValidationStatus, { openInput }: Sealing, { get }: Pick<Blobs, "get">): ReadSubmission =>
  async (caller, id) => {
    const validation = await getStatus(caller, id);
    const { frontBlobId, backBlobId, operation } = await openInput(validation, validation.sealedInput);
    return {
      front: await get(caller.tenantId, frontBlobId).catch(orAbsent),
      back: backBlobId === null ? undefined : await get(caller.tenantId, backBlobId).catch(orAbsent),
      ...(operation && {
        operation: { id: operation.id, ...(operation.call !== undefined && { call: operation.call }) },
      }),
    };
  };
