import { Type } from "typebox";
import { type FacialAuthentication, facialAuthenticationNumber } from "#contract/facial-authentication";
import { type LivenessDiagnostic, livenessNumber } from "#contract/liveness";
import { makeCheck } from "#contract/make-check";
import { besideLiveness } from "./capture-fault.ts";
import type { ChallengeVerdict } from "./challenge/challenge.ts";
import { judgeLiveness } from "./liveness/judge-liveness.ts";
import { livenessRules } from "./liveness/liveness-rules.ts";
import { type FaceSide, incomparableResultOf, judgeCompared } from "./matching/judge-comparison.ts";
import type { FaceMeasurement, MeasuredImage } from "./measurement.ts";
import { comparisonUses, type FacePolicy } from "./policy.ts";

/** One half of a stored decision, and its result now. `unknown`: the record lacks a needed value. */
export type Half<Answer> = { readonly was: Answer; readonly now: Answer | "unknown" };

export type Replayed = {
  readonly facial?: Half<FacialAuthentication>;
  readonly liveness?: Half<LivenessDiagnostic>;
  /** The capture of a face in a session. */
  readonly capture?: Half<ChallengeVerdict["result"]>;
};

/** Replaces the score of a network in an image. */
export type WithNetwork = (image: MeasuredImage) => MeasuredImage;

/**
 * An image as `record.ts` stores it. This service wrote it, so only its form is checked. Its face has no
 * fingerprint, which no judge needs.
 */
const storedImage = Type.Unsafe<MeasuredImage>(
  Type.Object({
    kind: Type.Literal("measured"),
    file: Type.Object({}),
    faceWidths: Type.Array(Type.Number()),
    scale: Type.Number(),
  }),
);
const failedImage = Type.Object({ kind: Type.Enum(["unreadable", "unprepared"]) });
const keptTemplate = Type.Object({ kind: Type.Literal("template") });
const keptComparison = Type.Object({
  result: Type.String(),
  use: Type.Enum([...comparisonUses]),
  score: Type.Union([Type.Number(), Type.Null()]),
  /** The result of liveness beside which the comparison was not answered. */
  beside: Type.Optional(Type.Enum(livenessRules.map(({ result }) => result))),
});
const keptLiveness = Type.Object({ result: Type.String(), cues: Type.Record(Type.String(), Type.Number()) });

const isImage = makeCheck(storedImage);
const isFailed = makeCheck(failedImage);
const isTemplate = makeCheck(keptTemplate);
const isComparison = makeCheck(keptComparison);
const isLiveness = makeCheck(keptLiveness);

const isLivenessName = (name: string): name is LivenessDiagnostic => Object.hasOwn(livenessNumber, name);
const isFacialName = (name: string): name is FacialAuthentication =>
  Object.hasOwn(facialAuthenticationNumber, name);

/** The liveness of a stored image; undefined if the answer was stored in another form. */
export const replayLiveness = (
  liveness: unknown,
  image: unknown,
  policy: FacePolicy,
  withNetwork: WithNetwork,
): Half<LivenessDiagnostic> | undefined => {
  if (!isLiveness.Check(liveness) || !isLivenessName(liveness.result)) return undefined;
  const was = liveness.result;
  const measured = measurementOf(image, withNetwork);
  if (measured === undefined) return { was, now: "unknown" };
  const { result } = judgeLiveness(measured, policy.liveness);
  // The comparison with the reference used fingerprints, which are not stored: its result stays.
  const isCopy = Object.hasOwn(liveness.cues, "resubmitted-reference");
  return { was, now: isCopy && (result === "Live" || result === "None") ? "NoLive" : result };
};

const measurementOf = (stored: unknown, withNetwork: WithNetwork): FaceMeasurement | undefined => {
  if (isImage.Check(stored)) return withNetwork(stored);
  return isFailed.Check(stored) ? { kind: stored.kind, code: "image_unreadable" } : undefined;
};

/** `isReference`: the first side may be a document, which shows its holder twice. */
export const replayComparison = (
  comparison: unknown,
  [first, second]: readonly [unknown, unknown],
  { comparison: policy }: FacePolicy,
  isReference: boolean,
): Half<FacialAuthentication> | undefined => {
  if (!isComparison.Check(comparison) || !isFacialName(comparison.result)) return undefined;
  const { result: was, use, score, beside } = comparison;
  const [a, b] = [sideOf(first), sideOf(second)];
  if (a === undefined || b === undefined) return { was, now: "unknown" };
  const incomparable = incomparableResultOf([a, b], policy);
  if (incomparable !== undefined) return { was, now: incomparable };
  // There is no score if a condition of the comparison failed, or if the face may have been another person's.
  if (score === null) return { was, now: "unknown" };
  const sizeRatios = [policy.referenceCrowdShareMin, policy.crowdShareMin] as const;
  const question = { use, ...(isReference && { sizeRatios }) };
  const { result: now } = judgeCompared([a, b], { score }, policy, question);
  return {
    was,
    now: beside === undefined ? now : besideLiveness({ result: now }, { result: beside }).result,
  };
};

const sideOf = (stored: unknown): FaceSide | undefined =>
  isTemplate.Check(stored)
    ? { kind: "template", template: new Uint8Array() }
    : measurementOf(stored, (image) => image);
