import { Failure } from "#contract/failure";
import type { Blobs } from "#storage/blobs";
import type { GetValidationStatus } from "./find-validation.ts";
import type { Sealing } from "./sealed.ts";

/** The current images of a validation and the operation of their call. */
export type Submission = {
  /** Front and back, as they were sent; empty after their retention. */
  readonly images: readonly Uint8Array[];
  readonly operation?: { readonly id: string; readonly call?: string };
};

/** Fails with not_found as {@link GetValidationStatus}. Made by {@link makeReadSubmission}. */
export type ReadSubmission = (...of: Parameters<GetValidationStatus>) => Promise<Submission>;

/** An image that is not kept any more, or damaged, is left out. */
const orAbsent = (error: unknown): readonly Uint8Array[] => {
  if (error instanceof Failure && (error.code === "not_found" || error.code === "stored_damaged")) return [];
  throw error;
};

export const makeReadSubmission =
  (getStatus: GetValidationStatus, { openInput }: Sealing, { get }: Pick<Blobs, "get">): ReadSubmission =>
  async (caller, id) => {
    const validation = await getStatus(caller, id);
    const { frontBlobId, backBlobId, operation } = await openInput(validation, validation.sealedInput);
    const images: Uint8Array[] = [];
    for (const blobId of [frontBlobId, ...(backBlobId === null ? [] : [backBlobId])]) {
      images.push(
        ...(await get(caller.tenantId, blobId)
          .then((bytes) => [bytes])
          .catch(orAbsent)),
      );
    }
    return {
      images,
      ...(operation && {
        operation: { id: operation.id, ...(operation.call !== undefined && { call: operation.call }) },
      }),
    };
  };
