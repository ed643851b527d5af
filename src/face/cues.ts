import type { MeasuredPicture } from "./measurement.ts";

/** What one cue says of one picture. */
export type CueEvidence = {
  readonly cue: CueName;
  /** Natural log of how much likelier an attack makes this measurement than a live person; 0 says nothing. */
  readonly weight: number;
};

export type CueName =
  | "frame-around-face"
  | "open-frame-around-face"
  | "moire"
  | "lifted-black"
  | "poor-colour"
  | "editing-software"
  | "screen-sized-file"
  | "resubmitted-reference";

/**
 * A cue's judge: pure, with one physical reason each. Undefined when the cue could not be measured: a missing cue
 * is missing, neither for nor against.
 */
type CueJudge = (picture: MeasuredPicture) => number | undefined;

/** Straight-line interpolation between the given points, flat beyond them. */
const ramp = (value: number, points: readonly (readonly [at: number, weight: number])[]): number => {
  const [first, last] = [points[0]!, points.at(-1)!];
  if (!(value > first[0])) return first[1];
  if (value >= last[0]) return last[1];
  const next = points.findIndex(([at]) => at > value);
  const [low, high] = [points[next - 1]!, points[next]!];
  return low[1] + ((high[1] - low[1]) * (value - low[0])) / (high[0] - low[0]);
};

/**
 * Four straight edges that close around the face: the rim of a screen or a sheet. Real rooms have doors and
 * windows, but none whose lower edge cuts a person's chest.
 */
const frameAroundFace: CueJudge = ({ cues }) =>
  cues?.surround &&
  ramp(cues.surround.closedFrame, [
    [0.5, -0.5],
    [0.75, 0],
    [0.85, 1.5],
    [0.9, 3],
    [0.95, 5],
  ]);

/** Left, lower and right edge with the upper one out of sight; weaker, since sleeves and table tops mimic it. */
const openFrameAroundFace: CueJudge = ({ cues }) =>
  cues?.surround &&
  (cues.surround.closedFrame >= 0.85
    ? 0
    : ramp(cues.surround.openFrame, [
        [0.8, 0],
        [0.9, 1.2],
        [0.97, 2.8],
      ]));

/** The beat of a screen's or halftone's grid with the sensor: narrow peaks that skin cannot make. */
const moire: CueJudge = ({ cues }) =>
  cues?.moire &&
  ramp(cues.moire.peakDecibels, [
    [8, -0.3],
    [11, 0],
    [14, 2.2],
    [18, 4],
  ]);

/** Ink is grey and glass reflects: no place of a recaptured picture is black. Fog and soft light do the same: weak. */
const liftedBlack: CueJudge = ({ cues }) =>
  cues &&
  ramp(cues.light.blackLevel, [
    [15, -0.2],
    [45, 0],
    [70, 0.7],
  ]);

/** The gamut of print and panels is narrower than skin's. Grey cameras and weak light do the same: weak. */
const poorColour: CueJudge = ({ cues }) =>
  cues &&
  ramp(cues.light.faceChroma, [
    [6, 0.6],
    [25, 0],
    [50, -0.2],
  ]);

const editors =
  /photoshop|gimp|lightroom|snapseed|facetune|screenshot|canva|pixelmator|picsart|stable diffusion|midjourney/i;

/** A file that a picture editor or a screenshot tool signed did not come straight from a camera. */
const editingSoftware: CueJudge = ({ file }) =>
  file.hasExif ? (file.exifSoftware !== undefined && editors.test(file.exifSoftware) ? 1.5 : 0) : undefined;

/** Native sizes of telephones' screens: a PNG of that very size without camera data is a screenshot. */
const screenSizes: ReadonlySet<string> = new Set([
  "750x1334",
  "828x1792",
  "1080x1920",
  "1080x2340",
  "1080x2400",
  "1125x2436",
  "1170x2532",
  "1179x2556",
  "1206x2622",
  "1242x2688",
  "1284x2778",
  "1290x2796",
  "1440x3200",
]);

const screenSizedFile: CueJudge = ({ file }) => {
  if (file.format !== "png") return undefined;
  const sides = [Math.min(file.width, file.height), Math.max(file.width, file.height)].join("x");
  return screenSizes.has(sides) && file.exifCamera === undefined ? 1.5 : 0;
};

/** `resubmitted-reference` needs a second picture and is judged where there is one (verify-identity.ts). */
type PictureCue = Exclude<CueName, "resubmitted-reference">;

const judges: Readonly<Record<PictureCue, CueJudge>> = {
  "frame-around-face": frameAroundFace,
  "open-frame-around-face": openFrameAroundFace,
  moire,
  "lifted-black": liftedBlack,
  "poor-colour": poorColour,
  "editing-software": editingSoftware,
  "screen-sized-file": screenSizedFile,
};

const isPictureCue = (name: string): name is PictureCue => Object.hasOwn(judges, name);

/** Every cue that could be measured, with its weight. */
export const judgeCues = (picture: MeasuredPicture): readonly CueEvidence[] =>
  Object.keys(judges)
    .filter(isPictureCue)
    .flatMap((cue) => {
      const weight = judges[cue](picture);
      return weight === undefined ? [] : [{ cue, weight }];
    });

/**
 * Log odds of an attack before any cue: one in nine. Kept away from even odds, so that weak cues alone (they add
 * up to 1.3) never refuse a person.
 */
const priorLogOdds = -2.2;

/** Probability-like attack score, 0…1: the cues as independent evidence on the prior (naive Bayes). */
export const attackScoreOf = (evidence: readonly CueEvidence[]): number =>
  1 / (1 + Math.exp(-evidence.reduce((sum, { weight }) => sum + weight, priorLogOdds)));

/** Cues that look for an attack's own traces. With none of them measured, nothing can be said. */
const decisive: readonly CueName[] = ["frame-around-face", "moire"];

export const canJudge = (evidence: readonly CueEvidence[]): boolean =>
  evidence.some(({ cue }) => decisive.includes(cue));
