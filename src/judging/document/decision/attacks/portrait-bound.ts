import { ramp } from "#contract/statistics/ramp";
import type { HistoryMatch } from "../../reading/traces/compression-history.ts";
import type { AttackMeasurement } from "../../reading/traces/measurement.ts";
import type { AttackPolicy } from "./attack-policy.ts";
import { cueWeights, type DocumentCue, levelFrom, portraitCues, type SideCue } from "./cue.ts";

/** Whether a trace shows that the portrait is not the card's own: a strong one does. */
export const isDoubtOfPortrait = ({ name, level }: DocumentCue): boolean =>
  portraitCues.includes(name) && level === "strong";

/**
 * Whether a trace shows that the portrait is not the card's own. Each trace has a cause: a portrait from
 * elsewhere has another noise, a block grid of its own, a history of compressions apart from the card's, or
 * was enlarged. A trace that is absent shows nothing: a photograph of a skilfully exchanged portrait has none
 * of them.
 */
export const isPortraitDoubted = (cues: readonly DocumentCue[]): boolean | "unknown" => {
  const traces = cues.filter(({ name }) => portraitCues.includes(name));
  return traces.length === 0 ? "unknown" : traces.some(isDoubtOfPortrait);
};

type Judge = (measured: AttackMeasurement, policy: AttackPolicy) => SideCue | undefined;

type Limits = { readonly weak: number; readonly strong: number };

/**
 * A strong trace is a doubt of its own and never more. A weak one counts only beside others, however near to
 * strong: alone it is no doubt of the validation either.
 */
const { hintMax } = cueWeights;
const weakWeight = 0.6;

const rising = (name: SideCue["name"], value: number, limits: Limits): SideCue => {
  const level = levelFrom(value, limits);
  const weak = ramp(value, [
    [0.8 * limits.weak, 0],
    [limits.weak, weakWeight],
  ]);
  return { name, level, weight: level === "strong" ? hintMax : weak, evidence: { value } };
};

/** The same for values that fall. `none` is the value from which on nothing counts. */
const falling = (
  name: SideCue["name"],
  value: number,
  { weak, strong, none, most }: Limits & { readonly none: number; readonly most: number },
): Omit<SideCue, "evidence"> => {
  const level = value < strong ? "strong" : value < weak ? "weak" : "none";
  const weight = ramp(value, [
    [weak, weakWeight],
    [none, 0],
  ]);
  return { name, level, weight: level === "strong" ? most : weight };
};

const judgeNoise: Judge = ({ portrait }, { portraitNoise }) =>
  portrait && rising("portrait-noise", Math.abs(portrait.noise), portraitNoise);

/** Least spread of parts that is counted: it is never known better. */
const spreadMin = 0.12;

/**
 * Only where the noise is even: a drawing has as many noises as parts. The pattern of a screen is an even
 * noise of its own, which differs by what the screen shows.
 */
const judgeEvenNoise: Judge = ({ portrait, pattern }, { evenNoise, patternPeaks }) => {
  if (pattern !== undefined && pattern.peaks >= patternPeaks.weak) return undefined;
  const { noise, faceNoise = 0, noiseSpread = Number.POSITIVE_INFINITY } = portrait ?? {};
  if (noise === undefined || noiseSpread > evenNoise.spreadMax) return undefined;
  const farther = Math.max(Math.abs(noise), Math.abs(faceNoise));
  return rising("portrait-even-noise", farther / Math.max(spreadMin, noiseSpread), evenNoise);
};

const judgeGrid: Judge = ({ portrait }, { portraitGrid }) =>
  portrait && rising("portrait-grid", portrait.grid, portraitGrid);

/** The part that matches the card least counts: within a portrait, the face alone may be another. */
const judgeHistory: Judge = ({ history }, { portraitHistory }) => {
  if (history === undefined) return undefined;
  const measured = [history.portrait, history.face].filter(
    ({ information }) => information >= portraitHistory.informationMin,
  );
  if (measured.length === 0) return undefined;
  const least = measured.reduce((one, other): HistoryMatch => (other.match < one.match ? other : one));
  const limits = { ...portraitHistory, none: 1.2 * portraitHistory.weak, most: hintMax };
  return {
    ...falling("portrait-history", least.match, limits),
    evidence: { match: least.match, information: least.information },
  };
};

/**
 * The whole portrait and the face against the card, and the face against what is around it; the heaviest
 * counts.
 */
const judgeDetail: Judge = ({ detail }, { portraitDetail, faceDetail, faceBeside }) => {
  if (detail === undefined) return undefined;
  const { portrait, face, around, least } = detail;
  const lacks = [
    [least, portrait, portraitDetail],
    [least, face, faceDetail],
    [around, face, faceBeside],
  ] as const;
  return lacks
    .flatMap(([usual, own, limits]) =>
      usual === undefined || own === undefined ? [] : rising("portrait-detail", usual - own, limits),
    )
    .toSorted((one, other) => other.weight - one.weight)[0];
};

/**
 * A ghost is printed from the portrait's own photograph: two photographs of one person are already less
 * alike.
 */
const judgeGhost: Judge = ({ ghost }, { ghostLikeness }) => {
  if (ghost?.likeness === undefined) return undefined;
  const { likeness, widthShare } = ghost;
  return {
    ...falling("ghost-differs", likeness, { ...ghostLikeness, none: 1, most: cueWeights.otherFace }),
    evidence: { likeness, widthShare },
  };
};

/** The judges of the portrait's traces, each by itself. */
export const portraitJudges: readonly Judge[] = [
  judgeNoise,
  judgeEvenNoise,
  judgeGrid,
  judgeHistory,
  judgeDetail,
  judgeGhost,
];
