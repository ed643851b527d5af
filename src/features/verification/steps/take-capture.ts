import { Failure } from "#contract/failure";
import type { VerificationReason } from "#contract/verification";
import type { CaptureSession } from "#features/capture/capture-session";
import { getSession } from "#features/capture/sessions";
import { claimedSealing } from "#trust/tokens/open";
import { readCapture, storeImages } from "../take-images.ts";
import type { VerificationContent } from "../verification.ts";
import type { Verification } from "../verifications.ts";
import type { RunDeps } from "./step.ts";

/** `open`: the person still captures. `ended`: the session has no images to verify. */
type Taken = "open" | { readonly ended: VerificationReason } | { readonly content: VerificationContent };

/**
 * Takes the images of a capture session that is complete. The age of the selfie counts to its own sealing: an
 * accepted capture stays good however late this runs.
 */
export const takeCapture = async (deps: RunDeps, verification: Verification): Promise<Taken> => {
  const { content } = verification;
  const session = await findSession(deps, verification);
  if (session === undefined) return { ended: "capture_expired" };
  const now = deps.clock();
  if (session.state === "OPEN") return now >= session.expiresAt ? { ended: "capture_expired" } : "open";
  if (session.state !== "COMPLETED") return { ended: endOf[session.state] };
  const captured = await readCapture(deps, session, content.flow);
  const sealedAt = captured.selfie && claimedSealing(captured.selfie);
  const images = await storeImages(deps, session, captured, sealedAt ?? now);
  return { content: { ...content, images } };
};

const endOf = {
  FAILED: "capture_failed",
  EXPIRED: "capture_expired",
  CANCELLED: "capture_cancelled",
} as const satisfies Readonly<Record<string, VerificationReason>>;

/** Undefined for a verification of own images, and where the session is not kept any more. */
export const findSession = async (
  { captures }: Pick<RunDeps, "captures">,
  { tenantId, environment, content }: Verification,
): Promise<CaptureSession | undefined> => {
  if (content.captureSessionId === undefined) return undefined;
  try {
    return await getSession(captures, { tenantId, environment }, content.captureSessionId);
  } catch (error) {
    if (error instanceof Failure && error.code === "not_found") return undefined;
    throw error;
  }
};
