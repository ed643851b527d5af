import type { CueEvidence as EvidenceOf } from "#contract/presentation-attack/fusion";
import type { MeasuredImage } from "../../measurement.ts";

export const cueNames = [
  "frame-around-face",
  "open-frame-around-face",
  "rim-around-frame",
  "moire",
  "network",
  "motion",
  "resubmitted-reference",
  "lifted-black",
  "poor-colour",
  "flat-highlights",
  "even-focus",
  "compressed-twice",
  "editing-software",
  "screen-sized-file",
] as const;

export type CueName = (typeof cueNames)[number];

/** The evidence of one cue about one image. */
export type CueEvidence = EvidenceOf<CueName>;

/** One presentation attack cue: pure, with one physical reason, judged from measurements. */
export type Cue = {
  readonly name: CueName;
  /**
   * `decisive` cues may make an attack alone. `weak` cues never do, alone or together: light, lenses and
   * honest software have the same effect. `digital` cues are weak and concern only the file.
   */
  readonly strength: "decisive" | "weak" | "digital";
  /** Why an attack causes it and a living person does not: for the operator, never for the user. */
  readonly reason: string;
  /**
   * Log-likelihood ratio before calibration. Undefined without a measurement: a missing cue counts neither
   * for nor against an attack.
   */
  readonly weigh: (image: MeasuredImage) => number | undefined;
};
