import type { FacialAuthentication } from "#contract/facial-authentication";
import type { FaceMeasurement, MeasuredFace } from "../measurement.ts";
import type { ComparisonPolicy, ComparisonUse } from "../policy.ts";
import { scoreAtFmr } from "./calibration.ts";
import { asSeenBy } from "./cohort.ts";
import { type Comparison, compare } from "./comparison.ts";
import { unpackTemplate } from "./template.ts";

/** One side of a comparison: a measured picture, or a template from a token. */
export type FaceSide = FaceMeasurement | { readonly kind: "template"; readonly template: Uint8Array };

/** What a comparison found; `comparison` is absent for every None. */
export type FacialJudgement = {
  readonly result: FacialAuthentication;
  /** What was to be compared; absent where the engine broke. */
  readonly use?: ComparisonUse;
  readonly comparison?: Comparison;
};

/** What a comparison is made for. */
export type ComparisonQuestion = {
  readonly use: ComparisonUse;
  /** From which share of the subject's width a second face makes a crowd, on either side; by default `crowdShareMin`. */
  readonly crowdShares?: readonly [number, number];
};

/**
 * Judges whether two sides are one person. First what keeps a comparison from being made: a picture that could
 * not be measured or shows no face, a face too small or too blurred to be known, a template of another recogniser (all
 * InvalidExtractions), a pose beyond the policy; then the score. What the person can mend is so never a Negative; nor is
 * a score that may be a bystander's: where a picture shows a second face as large, only a match is told, else None.
 */
export const judgeComparison = (
  a: FaceSide,
  b: FaceSide,
  policy: ComparisonPolicy,
  question: ComparisonQuestion,
): FacialJudgement => {
  const { use } = question;
  const hindrance = hindranceOf([a, b], policy);
  if (hindrance !== undefined) {
    return { use, result: hindrance };
  }
  const comparison = compareSides(a, b, policy);
  return comparison === undefined
    ? { use, result: "NoneBecauseInvalidExtractions" }
    : { use, ...judgeCompared([a, b], comparison, policy, question) };
};

/**
 * Whether a face that is compared with nobody could be known again (Positive), and is clearly the one that is meant: None
 * where a second is nearly as large.
 */
export const judgeAlone = (side: FaceSide, policy: ComparisonPolicy): FacialAuthentication => {
  const template = "template" in side ? side.template : undefined;
  if (template === undefined) {
    return "NoneBecauseInvalidExtractions";
  }
  // Beside its own template a picture passes the gates of every comparison, or does not.
  const { result } = judgeComparison(side, { kind: "template", template }, policy, { use: "selfie" });
  return result === "Positive" && isCrowded(side, policy.crowdShareMin) ? "None" : result;
};

/** What keeps these sides from being compared, as far as their pictures tell. */
export const hindranceOf = (
  sides: readonly FaceSide[],
  policy: ComparisonPolicy,
): FacialAuthentication | undefined => {
  if (!sides.every((side) => side.kind === "template" || isJudgeable(side, policy))) {
    return "NoneBecauseInvalidExtractions";
  }
  const isTurned = sides.some(
    (side) => "face" in side && side.face !== undefined && exceedsPose(side.face, policy),
  );
  return isTurned ? "NoneBecausePoseExceed" : undefined;
};

const compareSides = (a: FaceSide, b: FaceSide, { scale }: ComparisonPolicy): Comparison | undefined => {
  const [left, right] = [a, b].map((side) => {
    const packed = "template" in side ? side.template : undefined;
    const template = packed && unpackTemplate(packed);
    return template && asSeenBy(scale, template);
  });
  return left && right && compare(left, right, scale);
};

/** What a comparison says of its sides; nothing where it may be a bystander's and is no match. */
export const judgeCompared = <Compared extends Pick<Comparison, "score">>(
  [a, b]: readonly [FaceSide, FaceSide],
  comparison: Compared,
  policy: ComparisonPolicy,
  { use, crowdShares = [policy.crowdShareMin, policy.crowdShareMin] }: ComparisonQuestion,
): { readonly result: FacialAuthentication; readonly comparison?: Compared } => {
  const result = judgeScore(comparison.score, policy, use);
  const isCrowd = isCrowded(a, crowdShares[0]) || isCrowded(b, crowdShares[1]);
  return isCrowd && result !== "Positive" ? { result: "None" } : { result, comparison };
};

const isCrowded = (side: FaceSide, shareMin: number): boolean =>
  side.kind === "measured" && (side.faceWidths[1] ?? 0) >= shareMin;

/** The event value of a fused score; a score that is no number is never a match. */
export const judgeScore = (
  score: number,
  { falseMatchRates, uncertainFalseMatchRates = falseMatchRates }: ComparisonPolicy,
  use: ComparisonUse,
): FacialAuthentication => {
  if (score >= scoreAtFmr(falseMatchRates[use])) {
    return "Positive";
  }
  return score >= scoreAtFmr(uncertainFalseMatchRates[use]) ? "Uncertain" : "Negative";
};

const isJudgeable = (side: FaceMeasurement, policy: ComparisonPolicy): boolean =>
  side.kind === "measured" && side.face !== undefined && canBeKnown(side.face, policy);

/** Shows a face, large and sharp enough for a descriptor; a value that is no number passes no gate. */
const canBeKnown = ({ presence, eyeDistancePx, quality }: MeasuredFace, policy: ComparisonPolicy): boolean =>
  presence >= policy.presenceMin &&
  eyeDistancePx >= policy.eyeDistancePxMin &&
  quality.sharpness >= policy.sharpnessMin;

const exceedsPose = ({ pose }: MeasuredFace, policy: ComparisonPolicy): boolean =>
  !(
    Math.abs(pose.yawDegrees) <= policy.yawDegreesMax && Math.abs(pose.pitchDegrees) <= policy.pitchDegreesMax
  );
