import { createHash, timingSafeEqual } from "node:crypto";

const markBytes = 32;

/** The mark of a tenant: a SHA-256 of its id. */
export const markOf = (tenantId: string): Uint8Array =>
  createHash("sha256").update("idem token of tenant\n").update(tenantId, "utf8").digest();

/** The payload behind the mark of a tenant, to be sealed. */
export const markPayload = (tenantId: string, payload: Uint8Array): Uint8Array =>
  Buffer.concat([markOf(tenantId), payload]);

/** The marked payload; undefined where the mark is another tenant's, or absent. */
export const unmarkPayload = (tenantId: string, marked: Uint8Array): Uint8Array | undefined => {
  const mark = marked.subarray(0, markBytes);
  return mark.length === markBytes && timingSafeEqual(mark, markOf(tenantId))
    ? withoutMark(marked)
    : undefined;
};

/** The mark before a marked payload. */
export const markIn = (marked: Uint8Array): Uint8Array => marked.subarray(0, markBytes);

/** The marked payload of any tenant. */
export const withoutMark = (marked: Uint8Array): Uint8Array => marked.subarray(markBytes);
