import type { FusionBounds } from "#contract/presentation-attack/bounds";
import {
  type CueFusion,
  calibrate,
  logOddsOf,
  probabilityOf,
  type WeakCues,
} from "#contract/presentation-attack/fusion";
import type { MeasuredImage } from "../measurement.ts";
import { type CueEvidence, type CueName, cueNames } from "./cues/cue.ts";
import { isDecisive, weighCues } from "./cues/list.ts";

export type LivenessFusion = CueFusion<CueName>;

/**
 * Offset and scales of the decisive cues, as `idem train liveness` fits them on 735 drawn frames
 * (docs/measurements/liveness.md, Liveness). The weak cues keep their own weight. Light, colour and sharpness
 * of the drawings are our own choice, and the fit would learn it (poor-colour 2.6, even-focus 2.7).
 */
export const defaultFusion: LivenessFusion = {
  name: "drawn-1",
  offset: -1.7,
  scales: {
    "frame-around-face": 1.08,
    "open-frame-around-face": 0.86,
    "rim-around-frame": 1.49,
    moire: 1.86,
  },
};

/** Limit of the weak cues: light, a lens or a file never make an attack without a decisive cue. */
export const weakCues: WeakCues<CueName> = { isWeak: (cue) => !isDecisive(cue), max: 1.3 };

/** Limits of every fusion: with them the weak cues never reach even odds. */
export const livenessBounds: FusionBounds<CueName> = {
  cues: cueNames,
  offset: [Number.NEGATIVE_INFINITY, -weakCues.max],
  scaleMax: 3,
  attackLogOdds: 0,
  weakMaxOf: () => weakCues.max,
};

/** Every cue with a measurement, with its calibrated weight. */
export const judgeCues = (image: MeasuredImage, fusion: LivenessFusion): readonly CueEvidence[] =>
  calibrate(weighCues(image), fusion);

/** Probability of an attack, 0 to 1, from calibrated evidence. */
export const attackScoreOf = (evidence: readonly CueEvidence[], { offset }: LivenessFusion): number =>
  probabilityOf(logOddsOf(evidence, offset, weakCues));

/** Cues that search for traces of an attack. Without any of them no verdict is possible. */
const sufficient: ReadonlySet<CueName> = new Set(["frame-around-face", "moire", "network", "motion"]);

export const canJudge = (evidence: readonly CueEvidence[]): boolean =>
  evidence.some(({ cue }) => sufficient.has(cue));
