import type { FrameMeasurement } from "./measurement.ts";
import type { ChallengePolicy } from "./policy.ts";

/** Whether a frame shows exactly one face. The engine leaves other frames out of motion and person. */
export const showsOneFace = (
  { presence, faceWidths }: Pick<FrameMeasurement, "presence" | "faceWidths">,
  { presenceMin, secondFaceShareMin }: Pick<ChallengePolicy, "presenceMin" | "secondFaceShareMin">,
): boolean => (presence ?? 0) >= presenceMin && !((faceWidths[1] ?? 0) >= secondFaceShareMin);
