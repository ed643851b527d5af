import { ramp } from "#contract/statistics/ramp";
import type { Cue } from "./cue.ts";

export const liftedBlack: Cue = {
  name: "lifted-black",
  strength: "weak",
  reason: "No part of the image is black. Ink is grey and glass reflects; fog and soft light do the same.",
  weigh: ({ cues }) =>
    cues &&
    ramp(cues.light.blackLevel, [
      [15, -0.2],
      [45, 0],
      [70, 0.7],
    ]),
};

export const poorColour: Cue = {
  name: "poor-colour",
  strength: "weak",
  reason:
    "The face has little colour. The gamut of print and panels is narrower than skin's; grey cameras and weak light do the same.",
  weigh: ({ cues }) =>
    cues &&
    ramp(cues.light.faceChroma, [
      [6, 0.6],
      [25, 0],
      [50, -0.2],
    ]),
};

export const flatHighlights: Cue = {
  name: "flat-highlights",
  strength: "weak",
  reason:
    "The brightest places of the face are hardly brighter than its middle. Skin shines on nose, brow and cheek; matt paper has no highlights of its own, and ink cannot give white.",
  weigh: ({ cues }) =>
    cues?.light.highlights === undefined
      ? undefined
      : ramp(cues.light.highlights, [
          [1.15, 0.5],
          [1.35, 0],
          [1.7, -0.2],
        ]),
};

export const evenFocus: Cue = {
  name: "even-focus",
  strength: "weak",
  reason:
    "Face and surroundings are equally sharp. A flat copy has one distance for both; a room behind a person mostly has not.",
  weigh: ({ cues }) =>
    cues?.light.focusRatio === undefined
      ? undefined
      : ramp(cues.light.focusRatio, [
          [0.6, 0.3],
          [1.3, 0],
          [3, -0.3],
        ]),
};
