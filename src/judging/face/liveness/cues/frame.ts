import { ramp } from "#contract/statistics/ramp";
import type { Cue } from "./cue.ts";

/** From this support a frame counts as closed, and the open frame adds nothing. */
const closedFrom = 0.8;

export const frameAroundFace: Cue = {
  name: "frame-around-face",
  strength: "decisive",
  reason:
    "Four straight edges close around the face, the lower one across the chest: the rim of a screen or a sheet. Rooms have doors and windows, but none whose lower edge cuts a body.",
  weigh: ({ cues }) =>
    cues?.surround &&
    ramp(cues.surround.closedFrame, [
      [0.5, -0.5],
      [0.65, 0],
      [0.75, 1.2],
      [closedFrom, 2.5],
      [0.85, 3.5],
      [0.95, 5],
    ]),
};

export const openFrameAroundFace: Cue = {
  name: "open-frame-around-face",
  strength: "decisive",
  reason:
    "Left, lower and right edge close around the face, the upper edge is outside the image. Weaker than a closed frame: sleeves and table tops mimic it.",
  weigh: ({ cues }) =>
    cues?.surround &&
    (cues.surround.closedFrame >= closedFrom
      ? 0
      : ramp(cues.surround.openFrame, [
          [0.8, 0],
          [0.9, 1.2],
          [0.97, 2.8],
        ])),
};
