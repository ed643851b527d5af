import { Type } from "typebox";
import { Compile } from "typebox/compile";
import { type FacialAuthentication, facialAuthenticationNumber } from "#contract/facial-authentication";
import { type LivenessDiagnostic, livenessNumber } from "#contract/liveness";
import { judgeLiveness } from "./liveness/judge-liveness.ts";
import { type FaceSide, hindranceOf, judgeCompared } from "./matching/judge-comparison.ts";
import type { FaceMeasurement, MeasuredPicture } from "./measurement.ts";
import { comparisonUses, type FacePolicy } from "./policy.ts";

/** One half of a stored decision beside what it would be now. `unknown`: what the answer needs was not kept. */
export type Half<Answer> = { readonly was: Answer; readonly now: Answer | "unknown" };

export type Replayed = {
  readonly facial?: Half<FacialAuthentication>;
  readonly liveness?: Half<LivenessDiagnostic>;
};

/** Puts another network's word into a picture. */
export type WithNetwork = (picture: MeasuredPicture) => MeasuredPicture;

/**
 * A picture as `record.ts` keeps it: written by this service and read back, so that only what tells its form is looked
 * at. Its face has no fingerprint, which no judge asks for.
 */
const keptPicture = Type.Unsafe<MeasuredPicture>(
  Type.Object({
    kind: Type.Literal("measured"),
    file: Type.Object({}),
    faceWidths: Type.Array(Type.Number()),
    scale: Type.Number(),
  }),
);
const failedPicture = Type.Object({ kind: Type.Enum(["unreadable", "unprepared"]) });
const keptTemplate = Type.Object({ kind: Type.Literal("template") });
const keptComparison = Type.Object({
  result: Type.String(),
  use: Type.Enum([...comparisonUses]),
  score: Type.Union([Type.Number(), Type.Null()]),
});
const keptLiveness = Type.Object({ result: Type.String(), cues: Type.Record(Type.String(), Type.Number()) });

const isPicture = Compile(keptPicture);
const isFailed = Compile(failedPicture);
const isTemplate = Compile(keptTemplate);
const isComparison = Compile(keptComparison);
const isLiveness = Compile(keptLiveness);

const isLivenessName = (name: string): name is LivenessDiagnostic => Object.hasOwn(livenessNumber, name);
const isFacialName = (name: string): name is FacialAuthentication =>
  Object.hasOwn(facialAuthenticationNumber, name);

/** The liveness of a kept picture; undefined where the answer was kept in another form. */
export const replayLiveness = (
  liveness: unknown,
  picture: unknown,
  policy: FacePolicy,
  withNetwork: WithNetwork,
): Half<LivenessDiagnostic> | undefined => {
  if (!isLiveness.Check(liveness) || !isLivenessName(liveness.result)) return undefined;
  const was = liveness.result;
  const measured = measurementOf(picture, withNetwork);
  if (measured === undefined) return { was, now: "unknown" };
  const { result } = judgeLiveness(measured, policy.liveness);
  // Whether the picture is the reference itself was found by fingerprints, which are not kept: it stays what it was.
  const isCopy = Object.hasOwn(liveness.cues, "resubmitted-reference");
  return { was, now: isCopy && (result === "Live" || result === "None") ? "NoLive" : result };
};

const measurementOf = (kept: unknown, withNetwork: WithNetwork): FaceMeasurement | undefined => {
  if (isPicture.Check(kept)) return withNetwork(kept);
  return isFailed.Check(kept) ? { kind: kept.kind, code: "image_unreadable" } : undefined;
};

/** `isReference`: the first side may be a document, which shows its holder twice. */
export const replayComparison = (
  comparison: unknown,
  [first, second]: readonly [unknown, unknown],
  { comparison: policy }: FacePolicy,
  isReference: boolean,
): Half<FacialAuthentication> | undefined => {
  if (!isComparison.Check(comparison) || !isFacialName(comparison.result)) return undefined;
  const { result: was, use, score } = comparison;
  const [a, b] = [sideOf(first), sideOf(second)];
  if (a === undefined || b === undefined) return { was, now: "unknown" };
  const hindrance = hindranceOf([a, b], policy);
  if (hindrance !== undefined) return { was, now: hindrance };
  // No score was taken where something stood against comparing, or the face may have been a bystander's.
  if (score === null) return { was, now: "unknown" };
  const crowdShares = [policy.referenceCrowdShareMin, policy.crowdShareMin] as const;
  const question = { use, ...(isReference && { crowdShares }) };
  return { was, now: judgeCompared([a, b], { score }, policy, question).result };
};

const sideOf = (kept: unknown): FaceSide | undefined =>
  isTemplate.Check(kept)
    ? { kind: "template", template: new Uint8Array() }
    : measurementOf(kept, (picture) => picture);
