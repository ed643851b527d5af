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

/** Straight-line interpolation between the given points, flat beyond them. */
export const ramp = (value: number, points: readonly (readonly [at: number, weight: number])[]): number => {
  const [first, last] = [points[0]!, points.at(-1)!];
  if (!(value > first[0])) return first[1];
  if (value >= last[0]) return last[1];
  const next = points.findIndex(([at]) => at > value);
  const [low, high] = [points[next - 1]!, points[next]!];
  return low[1] + ((high[1] - low[1]) * (value - low[0])) / (high[0] - low[0]);
};
