import type { GuidanceCode } from "#contract/guidance";
import type { ChallengeReason, ChallengeVerdict } from "./challenge.ts";

/** A verdict that the person can correct. */
export const again = (reason: ChallengeReason, ...guidance: readonly GuidanceCode[]): ChallengeVerdict => ({
  result: "again",
  reason,
  guidance,
});

/** A verdict that speaks of an attack or of another capture. No reason of it leaves the service. */
export const fail = (reason: ChallengeReason): ChallengeVerdict => ({ result: "fail", reason, guidance: [] });
