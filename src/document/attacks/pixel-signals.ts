import { ramp } from "#statistics/ramp";
import { type AttackPolicy, defaultAttackPolicy, type ExpectedColour } from "./attack-policy.ts";
import type { AttackMeasurement } from "./measurement.ts";
import { type Signal, weights } from "./signal.ts";

type Seen = Omit<Signal, "on">;

/** Judges one trace of one side; undefined where it could not be measured, or tells nothing of this type. */
type JudgeTrace = (
  measured: AttackMeasurement,
  policy: AttackPolicy,
  colour: ExpectedColour,
) => Seen | undefined;

/**
 * Weights: log of the share of attacks over the share of genuine documents in the band, the latter at its upper 95 % bound
 * (docs/measurements.md, Attacks on documents). What was not found speaks for nobody: a copy in colour has colour too.
 */
const { strongest, hintMax: likely } = weights;

const judgeGreyCopy: JudgeTrace = ({ colour }, { greyCopy }, expected) => {
  const limits = greyCopy[expected.is];
  if (colour === undefined || limits === null) return undefined;
  const { second } = colour;
  const mayBeStrong = expected.isSure && limits.strong > 0;
  return {
    name: "grey-copy",
    level: mayBeStrong && second < limits.strong ? "strong" : second < limits.weak ? "weak" : "none",
    weight: ramp(second, [
      [limits.strong, mayBeStrong ? strongest : likely],
      [limits.weak, likely],
      [1.15 * limits.weak, 0],
    ]),
    evidence: { second, first: colour.first },
  };
};

const judgeGreyPortrait: JudgeTrace = ({ portraitColour }, { greyPortraitMax }, expected) => {
  if (portraitColour === undefined || expected.is !== "colour") return undefined;
  const { second } = portraitColour;
  return {
    name: "grey-portrait",
    level: second < greyPortraitMax ? "weak" : "none",
    weight: second < greyPortraitMax ? likely : 0,
    evidence: { second },
  };
};

/** Of the one real screen at hand it saw nothing, so that it never weighs more than a doubt. */
const judgePattern: JudgeTrace = ({ pattern }, { patternPeaks }) =>
  pattern && {
    name: "fine-pattern",
    level: from(pattern.peaks, patternPeaks),
    weight: ramp(pattern.peaks, [
      [0.6 * patternPeaks.weak, 0],
      [patternPeaks.weak, likely],
    ]),
    evidence: { peaks: pattern.peaks },
  };

const judgeRim: JudgeTrace = ({ rim }, { rimSidesMin }) =>
  rim && {
    name: "rim-around-card",
    level: rim.sides >= rimSidesMin ? "weak" : "none",
    weight: rim.sides >= rimSidesMin ? 0.8 : 0,
    evidence: { sides: rim.sides, brightness: rim.brightness, width: rim.width },
  };

const judgePortraitNoise: JudgeTrace = ({ portrait }, { portraitNoise }) =>
  portrait && judgePortrait("portrait-noise", Math.abs(portrait.noise), portraitNoise);

const judgePortraitGrid: JudgeTrace = ({ portrait }, { portraitGrid }) =>
  portrait && judgePortrait("portrait-grid", portrait.grid, portraitGrid);

const judgePortrait = (name: "portrait-noise" | "portrait-grid", value: number, limits: Limits): Seen => ({
  name,
  level: from(value, limits),
  weight: ramp(value, [
    [0.8 * limits.weak, 0],
    [limits.weak, 0.6],
    [limits.strong, likely],
  ]),
  evidence: { value },
});

const judgeLines: JudgeTrace = ({ ink }, { darkestLine }) =>
  ink && {
    name: "edited-line",
    level: from(ink.darkest, darkestLine),
    weight: ramp(ink.darkest, [
      [0.8 * darkestLine.weak, 0],
      [darkestLine.weak, 0.9],
      [darkestLine.strong, likely],
    ]),
    evidence: { darkest: ink.darkest, lines: ink.lines },
  };

type Limits = { readonly weak: number; readonly strong: number };

const from = (value: number, { weak, strong }: Limits) =>
  value >= strong ? "strong" : value >= weak ? "weak" : "none";

const judges: readonly JudgeTrace[] = [
  judgeGreyCopy,
  judgeGreyPortrait,
  judgePattern,
  judgeRim,
  judgePortraitNoise,
  judgePortraitGrid,
  judgeLines,
];

/** Every trace of one side that could be looked for. `colour`: what genuine ones of this type show. */
export const judgeTraces = (
  measured: AttackMeasurement,
  on: "front" | "back",
  policy: AttackPolicy = defaultAttackPolicy,
  colour: ExpectedColour = { is: "colour", isSure: true },
): readonly Signal[] =>
  judges.flatMap((judge) => {
    const seen = judge(measured, policy, colour);
    return seen === undefined ? [] : [{ ...seen, on }];
  });
