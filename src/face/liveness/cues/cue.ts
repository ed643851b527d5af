import type { MeasuredPicture } from "../../measurement.ts";

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

/** What one cue says of one picture. */
export type CueEvidence = {
  readonly cue: CueName;
  /** Natural log of how much likelier an attack makes this measurement than a live person; 0 says nothing. */
  readonly weight: number;
};

/** One trace of an attack: pure, with one physical reason, judged from what was measured. */
export type Cue = {
  readonly name: CueName;
  /**
   * `decisive` cues may accuse alone. `weak` ones never do, alone or together: light, lenses and honest software leave
   * the same traces. `digital` ones are weak too, and say something of the file alone.
   */
  readonly strength: "decisive" | "weak" | "digital";
  /** Why an attack leaves it and a person does not: for the operator, never for the person. */
  readonly reason: string;
  /**
   * Log-likelihood ratio before calibration. Undefined when the cue could not be measured: a missing cue is missing,
   * neither for nor against.
   */
  readonly weigh: (picture: MeasuredPicture) => number | undefined;
};
