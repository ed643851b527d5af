import type { FacialAuthentication } from "#contract/facial-authentication";
import type { LivenessResult } from "../liveness/liveness-rules.ts";
import type { FaceMeasurement, MeasuredFace } from "../measurement.ts";
import type { ComparisonPolicy, ComparisonUse } from "../policy.ts";
import { scoreAtFmr } from "./calibration.ts";
import { normaliseTemplate } from "./cohort.ts";
import { type Comparison, compare } from "./comparison.ts";
import { joinComparisons } from "./several-references.ts";
import { unpackTemplate } from "./template.ts";

/**
 * One side of a comparison: a measured image, or a template with the further references of the same person.
 */
export type FaceSide =
  | FaceMeasurement
  | {
      readonly kind: "template";
      readonly template: Uint8Array;
      readonly further?: readonly Uint8Array[];
    };

/** The result of a comparison; `comparison` is absent for every None. */
export type FacialJudgement = {
  readonly result: FacialAuthentication;
  /** The two sides and their use; absent if the engine broke. */
  readonly use?: ComparisonUse;
  readonly comparison?: Comparison;
  /** A comparison that is recorded and not answered, beside this result of liveness (`capture-fault.ts`). */
  readonly withheld?: { readonly comparison: Comparison; readonly beside: LivenessResult };
};

/** The purpose of a comparison. */
export type ComparisonQuestion = {
  readonly use: ComparisonUse;
  /**
   * The face-size ratio from which a second face counts as multiple faces, on either side; by default
   * `crowdShareMin`.
   */
  readonly sizeRatios?: readonly [number, number];
};

/**
 * Judges whether two sides show one person. First it checks the conditions of a comparison. An unmeasured
 * image, a missing face, a face too small or too blurred, and a template of another recogniser are
 * InvalidExtractions; a pose beyond the policy has its own result. Then it judges the score. With a
 * second face of similar size the score may belong to the other face: then only a match is reported,
 * otherwise None. `besideLiveness` (capture-fault.ts) takes a Negative back where liveness asks for another
 * image: only after it is a defect that the person can repair never a Negative.
 */
export const judgeComparison = (
  a: FaceSide,
  b: FaceSide,
  policy: ComparisonPolicy,
  question: ComparisonQuestion,
): FacialJudgement => {
  const { use } = question;
  const incomparable = incomparableResultOf([a, b], policy);
  if (incomparable !== undefined) {
    return { use, result: incomparable };
  }
  const comparison = compareSides(a, b, policy);
  return comparison === undefined
    ? { use, result: "NoneBecauseInvalidExtractions" }
    : { use, ...judgeCompared([a, b], comparison, policy, question) };
};

/**
 * Judges a face without a second one: Positive if it could be recognised and is clearly the subject; None if
 * a second face is nearly as large.
 */
export const judgeAlone = (side: FaceSide, policy: ComparisonPolicy): FacialAuthentication => {
  const template = "template" in side ? side.template : undefined;
  if (template === undefined) {
    return "NoneBecauseInvalidExtractions";
  }
  // Compared with its own template, an image passes the gates of every comparison or fails them.
  const { result } = judgeComparison(side, { kind: "template", template }, policy, { use: "selfie" });
  return result === "Positive" && hasOtherFaces(side, policy.crowdShareMin) ? "None" : result;
};

/** The result that prevents a comparison of these sides, as far as their images show it. */
export const incomparableResultOf = (
  sides: readonly FaceSide[],
  policy: ComparisonPolicy,
): FacialAuthentication | undefined => {
  if (!sides.every((side) => side.kind === "template" || isJudgeable(side, policy))) {
    return "NoneBecauseInvalidExtractions";
  }
  const isRotated = sides.some(
    (side) => "face" in side && side.face !== undefined && exceedsPose(side.face, policy),
  );
  return isRotated ? "NoneBecausePoseExceed" : undefined;
};

/** A further reference of another recogniser is left out: it is not comparable. */
const compareSides = (a: FaceSide, b: FaceSide, { scale }: ComparisonPolicy): Comparison | undefined => {
  const open = (packed: Uint8Array | undefined) => {
    const template = packed && unpackTemplate(packed);
    return template && normaliseTemplate(scale, template);
  };
  const templateOf = (side: FaceSide) => open("template" in side ? side.template : undefined);
  const compareOpened = (left: ReturnType<typeof open>, right: ReturnType<typeof open>) =>
    left && right && compare(left, right, scale);
  const furtherOf = (side: FaceSide) => (side.kind === "template" ? (side.further ?? []).map(open) : []);
  const [left, right] = [templateOf(a), templateOf(b)];
  const first = compareOpened(left, right);
  const others = [
    ...furtherOf(a).map((reference) => compareOpened(reference, right)),
    ...furtherOf(b).map((reference) => compareOpened(left, reference)),
  ].filter((comparison) => comparison !== undefined);
  return first && joinComparisons(first, others);
};

/** The judgement of a compared pair. None if the score may belong to another face and is no match. */
export const judgeCompared = <Compared extends Pick<Comparison, "score">>(
  [a, b]: readonly [FaceSide, FaceSide],
  comparison: Compared,
  policy: ComparisonPolicy,
  { use, sizeRatios = [policy.crowdShareMin, policy.crowdShareMin] }: ComparisonQuestion,
): { readonly result: FacialAuthentication; readonly comparison?: Compared } => {
  const result = judgeScore(comparison.score, policy, use);
  const hasMultipleFaces = hasOtherFaces(a, sizeRatios[0]) || hasOtherFaces(b, sizeRatios[1]);
  return hasMultipleFaces && result !== "Positive" ? { result: "None" } : { result, comparison };
};

const hasOtherFaces = (side: FaceSide, shareMin: number): boolean =>
  side.kind === "measured" && (side.faceWidths[1] ?? 0) >= shareMin;

/** The event value of a fused score. A score that is not a number is never a match. */
const judgeScore = (
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
  side.kind === "measured" && side.face !== undefined && isRecognisable(side.face, policy);

/**
 * True for a face that is present, large and sharp enough for a descriptor. A value that is not a number
 * passes no gate.
 */
const isRecognisable = (
  { presence, eyeDistancePx, quality }: MeasuredFace,
  policy: ComparisonPolicy,
): boolean =>
  presence >= policy.presenceMin &&
  eyeDistancePx >= policy.eyeDistancePxMin &&
  quality.sharpness >= policy.sharpnessMin;

const exceedsPose = ({ pose }: MeasuredFace, policy: ComparisonPolicy): boolean =>
  !(
    Math.abs(pose.yawDegrees) <= policy.yawDegreesMax && Math.abs(pose.pitchDegrees) <= policy.pitchDegreesMax
  );
