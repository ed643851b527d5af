/** The challenge of a session: made, used once, replaced. */

import type { CaptureChallenge } from "#contract/capture";
import { Failure } from "#contract/failure";
import type { CaptureContent, Holder } from "../capture-session.ts";
import type { CapturePolicy } from "../policy.ts";
import { requireConsent, requirePage, requireStep } from "../session-state.ts";

/**
 * Keeps a new challenge for the page that captures; it replaces an earlier one. Fails with
 * capture_uploads_exhausted where the session has asked for too many: the order must not be chosen by asking
 * again.
 */
export const issueChallenge = (
  content: CaptureContent,
  holder: Holder,
  value: CaptureChallenge,
  { challengesMax }: Pick<CapturePolicy, "challengesMax">,
): CaptureContent => {
  const { thumbprint } = requirePage(content, holder);
  requireConsent(content);
  requireStep(content, "face");
  if (content.level === "passive")
    throw new Failure("capture_step_refused", { step: "face", level: "passive" });
  if (content.challenges >= challengesMax) throw new Failure("capture_uploads_exhausted");
  return { ...content, challenges: content.challenges + 1, challenge: { value, thumbprint } };
};

/**
 * Beyond its own times: the upload of two megabytes on a slow line. The judge of the sequence holds the times
 * of the frames.
 */
const uploadMs = 120_000;

/**
 * Fails unless the session has a challenge of this page that no other upload has used. A session of the level
 * passive needs none.
 */
export const requireChallenge = (
  { level, challenge }: CaptureContent,
  thumbprint: string,
  now: Date,
  uploadId?: string,
): void => {
  if (level === "passive") return;
  const isFree = challenge !== undefined && (challenge.usedBy === undefined || challenge.usedBy === uploadId);
  const isOwn = challenge?.thumbprint === thumbprint;
  if (!isFree || !isOwn) throw new Failure("capture_challenge_missing");
  const { expiresAt, finishMs } = challenge.value;
  // A judgement that broke may be repeated later: the challenge was used in its time.
  if (challenge.usedBy === undefined && now.getTime() > Date.parse(expiresAt) + finishMs + uploadMs) {
    throw new Failure("capture_challenge_missing");
  }
};
