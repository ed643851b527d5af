import type { MeasuredImage } from "../../measurement.ts";
import { compressedTwice } from "./compression.ts";
import type { Cue, CueEvidence, CueName } from "./cue.ts";
import { frameAroundFace, openFrameAroundFace } from "./frame.ts";
import { editingSoftware, screenSizedFile } from "./metadata.ts";
import { moireCue } from "./moire.ts";
import { motionCue } from "./motion.ts";
import { networkCue } from "./network.ts";
import { evenFocus, flatHighlights, liftedBlack, poorColour } from "./reproduction.ts";
import { rimAroundFrame } from "./rim.ts";

/** Every cue of a single image. The resubmitted reference needs a second image: resubmitted.ts. */
export const cues: readonly Cue[] = [
  frameAroundFace,
  openFrameAroundFace,
  rimAroundFrame,
  moireCue,
  networkCue,
  motionCue,
  liftedBlack,
  poorColour,
  flatHighlights,
  evenFocus,
  compressedTwice,
  editingSoftware,
  screenSizedFile,
];

/** Every cue with a measurement, with its weight before calibration. */
export const weighCues = (image: MeasuredImage): readonly CueEvidence[] =>
  cues.flatMap(({ name, weigh }) => {
    const weight = weigh(image);
    return weight === undefined ? [] : [{ cue: name, weight }];
  });

const decisive: ReadonlySet<CueName> = new Set([
  "resubmitted-reference",
  ...cues.filter(({ strength }) => strength === "decisive").map(({ name }) => name),
]);

/** Whether a cue may make an attack alone. */
export const isDecisive = (name: CueName): boolean => decisive.has(name);
