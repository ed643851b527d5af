import { ramp } from "#contract/statistics/ramp";
import type { Cue } from "./cue.ts";

export const networkCue: Cue = {
  name: "network",
  strength: "decisive",
  reason: "The liveness network that the operator added classifies the image as an attack, or as a person.",
  weigh: ({ cues }) =>
    cues?.network &&
    ramp(cues.network.live, [
      [0.02, 4],
      [0.2, 2.5],
      [0.5, 1],
      [0.8, 0],
      [0.97, -1.5],
    ]),
};
