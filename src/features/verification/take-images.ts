/** The images of a verification, stored sealed until its end. */

import type { Caller } from "#contract/endpoint";
import type { VerificationFlow } from "#contract/verification";
import type { CaptureSession } from "#features/capture/capture-session";
import { readCaptured } from "#features/capture/read-captured";
import type { VerificationImages } from "./verification.ts";
import { hasDocument, hasSelfie } from "./verification-state.ts";
import type { VerificationDeps } from "./verifications.ts";

/** Tokens or open images, as they were sent. */
export type SentImages = {
  readonly selfie?: Uint8Array | undefined;
  readonly front?: Uint8Array | undefined;
  readonly back?: Uint8Array | undefined;
};

/**
 * Durable when it resolves. No row names the objects yet: after a crash here the sweep removes them. `at`:
 * the images are there then.
 */
export const storeImages = async (
  { blobs }: Pick<VerificationDeps, "blobs">,
  { tenantId }: Pick<Caller, "tenantId">,
  { selfie, front, back }: SentImages,
  at: Date,
): Promise<VerificationImages> => {
  const put = async (name: keyof SentImages, bytes: Uint8Array | undefined) =>
    bytes === undefined ? {} : { [name]: await blobs.put(tenantId, bytes) };
  const stored = await Promise.all([put("selfie", selfie), put("front", front), put("back", back)]);
  return Object.assign({ at: at.getTime() }, ...stored);
};

/**
 * What a complete capture session captured for a flow. It is copied, because the session has a retention of
 * its own.
 */
export const readCapture = async (
  deps: Pick<VerificationDeps, "blobs">,
  session: CaptureSession,
  flow: VerificationFlow,
): Promise<SentImages> => {
  const { selfie, front, back } = await readCaptured(deps, session);
  return { ...(hasSelfie(flow) && { selfie }), ...(hasDocument(flow) && { front, back }) };
};
