import { ramp } from "#contract/statistics/ramp";
import type { AttackMeasurement } from "../../reading/traces/measurement.ts";
import { type AttackPolicy, defaultAttackPolicy, type ExpectedColour } from "./attack-policy.ts";
import { cueWeights, type DocumentCue, levelFrom, type SideCue } from "./cue.ts";
import { portraitJudges } from "./portrait-bound.ts";

/**
 * Judges one trace of one side; undefined without a measurement, or where the type of document makes it no
 * cue.
 */
type JudgeCue = (
  measured: AttackMeasurement,
  policy: AttackPolicy,
  colour: ExpectedColour,
) => SideCue | undefined;

/**
 * Weights: log of the share of attacks over the share of genuine documents in the band, the latter at its
 * upper 95 % bound (docs/measurements/attacks.md, Attacks on documents). An absent trace is neutral: a copy
 * in colour has colour too.
 */
const { strongest, hintMax: likely } = cueWeights;

const judgeGreyCopy: JudgeCue = ({ colour }, { greyCopy }, expected) => {
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

const judgeGreyPortrait: JudgeCue = ({ portraitColour }, { greyPortraitMax }, expected) => {
  if (portraitColour === undefined || expected.is !== "colour") return undefined;
  const { second } = portraitColour;
  return {
    name: "grey-portrait",
    level: second < greyPortraitMax ? "weak" : "none",
    weight: second < greyPortraitMax ? likely : 0,
    evidence: { second },
  };
};

/** It found nothing on the one real screen of the measurements, so its weight never exceeds a doubt. */
const judgePattern: JudgeCue = ({ pattern }, { patternPeaks }) =>
  pattern && {
    name: "fine-pattern",
    level: levelFrom(pattern.peaks, patternPeaks),
    weight: ramp(pattern.peaks, [
      [0.6 * patternPeaks.weak, 0],
      [patternPeaks.weak, likely],
    ]),
    evidence: { peaks: pattern.peaks },
  };

const judgeRim: JudgeCue = ({ rim }, { rimSidesMin }) =>
  rim && {
    name: "rim-around-card",
    level: rim.sides >= rimSidesMin ? "weak" : "none",
    weight: rim.sides >= rimSidesMin ? 0.8 : 0,
    evidence: { sides: rim.sides, brightness: rim.brightness, width: rim.width },
  };

const judgeLines: JudgeCue = ({ ink }, { darkestLine }) =>
  ink && {
    name: "edited-line",
    level: levelFrom(ink.darkest, darkestLine),
    // 9 of 43 specimens have a weak one, a heading in black: it is a doubt only near the strong limit.
    weight: ramp(ink.darkest, [
      [darkestLine.weak, 0],
      [darkestLine.strong, likely],
    ]),
    evidence: { darkest: ink.darkest, lines: ink.lines },
  };

const judges: readonly JudgeCue[] = [
  judgeGreyCopy,
  judgeGreyPortrait,
  judgePattern,
  judgeRim,
  ...portraitJudges,
  judgeLines,
];

/** The cues of one side, for every measured trace. `colour`: the colour of genuine documents of this type. */
export const judgePixelCues = (
  measured: AttackMeasurement,
  on: "front" | "back",
  policy: AttackPolicy = defaultAttackPolicy,
  colour: ExpectedColour = { is: "colour", isSure: true },
): readonly DocumentCue[] =>
  judges.flatMap((judge) => {
    const seen = judge(measured, policy, colour);
    return seen === undefined ? [] : [{ ...seen, on }];
  });
