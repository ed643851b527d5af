import type { CaptureLevel } from "#contract/capture";
import { Failure } from "#contract/failure";
import type { OpenedToken } from "#trust/tokens/token";

/**
 * The least level of a best image. `passive`: any best image. `captured`: the token of a capture session
 * shows that the head rotated as asked, and other tokens are judged as they are. `active-turn`: the token of
 * a capture session shows it, and no other image is judged.
 */
export const levelsMin = ["passive", "captured", "active-turn"] as const;
export type LevelMin = (typeof levelsMin)[number];

/** The level of a deployment whose operator chose none. */
export const usualLevelMin = (mode: "development" | "production"): LevelMin =>
  mode === "production" ? "captured" : "passive";

type Attested = Pick<OpenedToken, "attestation">;

/**
 * Whether a best image has the least level; `token` is undefined for an image that comes open in its own
 * field.
 */
export const hasLevel = (min: LevelMin, token: Attested | undefined): boolean => {
  const attestation = token?.attestation;
  if (min === "passive" || attestation?.level === "active-turn") return true;
  return min === "captured" && attestation === undefined;
};

/**
 * Fails with liveness_level_too_low where a best image lacks the least level. Nothing was measured, and the
 * token stays unused.
 */
export const requireLevel = (min: LevelMin | undefined, token: Attested | undefined): void => {
  if (min === undefined || hasLevel(min, token)) return;
  throw new Failure("liveness_level_too_low", {
    levelMin: "active-turn",
    level: token?.attestation?.level ?? "none",
  });
};

/**
 * The level that a capture session asks for where its caller names none: what every use of its image accepts.
 */
export const sessionLevelOf = (mins: readonly LevelMin[]): CaptureLevel =>
  mins.every((min) => min === "passive") ? "passive" : "active-turn";
