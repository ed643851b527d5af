import { Type } from "typebox";
import { Compile } from "typebox/compile";
import { type FacialAuthentication, facialAuthenticationNumber } from "#contract/facial-authentication";
import { type LivenessDiagnostic, livenessNumber } from "#contract/liveness";
import type { TransactionRecord } from "#storage/store";
import { judgeLiveness } from "./liveness/judge-liveness.ts";
import { type FaceSide, hindranceOf, judgeCompared } from "./matching/judge-comparison.ts";
import type { FaceMeasurement, MeasuredPicture } from "./measurement.ts";
import { type ComparisonUse, comparisonUses, type FacePolicy } from "./policy.ts";

/** One half of a stored decision beside what it would be now. `unknown`: what the answer needs was not kept. */
export type Half<Answer> = { readonly was: Answer; readonly now: Answer | "unknown" };

export type Replayed = {
  readonly facial?: Half<FacialAuthentication>;
  readonly liveness?: Half<LivenessDiagnostic>;
};

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
const isMeasurements = Compile(Type.Record(Type.String(), Type.Unknown()));

/** Where a call's record has its pictures: the one whose liveness was judged, and the two that were compared. */
const places: Readonly<
  Record<string, { readonly live?: string; readonly compared?: readonly [string, string] }>
> = {
  identity: { live: "bestImage", compared: ["reference", "bestImage"] },
  evaluatePassiveLiveness: { live: "picture" },
  evaluatePassiveLivenessToken: { live: "picture" },
  authenticateFacial: { compared: ["first", "second"] },
};

/**
 * Judges a stored call again from what was kept of it, under another policy or with another liveness network's word in
 * place of what decided (`withNetwork`). Undefined for calls that judge no face, or were stored in another form.
 */
export const replay = (
  { endpoint, measurements }: Pick<TransactionRecord, "endpoint" | "measurements">,
  policy: FacePolicy,
  withNetwork: (picture: MeasuredPicture) => MeasuredPicture = (picture) => picture,
): Replayed | undefined => {
  const place = Object.hasOwn(places, endpoint) ? places[endpoint] : undefined;
  if (place === undefined || !isMeasurements.Check(measurements)) return undefined;
  const liveness = place.live && replayLiveness(measurements, place.live, policy, withNetwork);
  const facial = place.compared && replayComparison(measurements, place.compared, policy);
  return liveness || facial ? { ...(liveness && { liveness }), ...(facial && { facial }) } : undefined;
};

type Kept = Readonly<Record<string, unknown>>;

const isLivenessName = (name: string): name is LivenessDiagnostic => Object.hasOwn(livenessNumber, name);
const isFacialName = (name: string): name is FacialAuthentication =>
  Object.hasOwn(facialAuthenticationNumber, name);

const replayLiveness = (
  kept: Kept,
  place: string,
  policy: FacePolicy,
  withNetwork: (picture: MeasuredPicture) => MeasuredPicture,
): Half<LivenessDiagnostic> | undefined => {
  const { liveness } = kept;
  if (!isLiveness.Check(liveness) || !isLivenessName(liveness.result)) return undefined;
  const was = liveness.result;
  const measured = measurementOf(kept[place], withNetwork);
  if (measured === undefined) return { was, now: "unknown" };
  const { result } = judgeLiveness(measured, policy.liveness);
  // Whether the picture is the reference itself was found by fingerprints, which are not kept: it stays what it was.
  const isCopy = Object.hasOwn(liveness.cues, "resubmitted-reference");
  return { was, now: isCopy && (result === "Live" || result === "None") ? "NoLive" : result };
};

const measurementOf = (
  kept: unknown,
  withNetwork: (picture: MeasuredPicture) => MeasuredPicture,
): FaceMeasurement | undefined => {
  if (isPicture.Check(kept)) return withNetwork(kept);
  return isFailed.Check(kept) ? { kind: kept.kind, code: "image_unreadable" } : undefined;
};

const replayComparison = (
  kept: Kept,
  [first, second]: readonly [string, string],
  policy: FacePolicy,
): Half<FacialAuthentication> | undefined => {
  const { comparison } = kept;
  if (!isComparison.Check(comparison) || !isFacialName(comparison.result)) return undefined;
  const was = comparison.result;
  const [a, b] = [sideOf(kept[first]), sideOf(kept[second])];
  if (a === undefined || b === undefined) return { was, now: "unknown" };
  const hindrance = hindranceOf([a, b], policy.comparison);
  if (hindrance !== undefined) return { was, now: hindrance };
  // No score was taken where something stood against comparing, or the face may have been a bystander's.
  if (comparison.score === null) return { was, now: "unknown" };
  const question = questionOf(comparison.use, policy);
  return { was, now: judgeCompared([a, b], { score: comparison.score }, policy.comparison, question).result };
};

/** A document may show its holder twice (verify-identity.ts). */
const questionOf = (use: ComparisonUse, { comparison }: FacePolicy) => ({
  use,
  ...(use === "document" && {
    crowdShares: [comparison.referenceCrowdShareMin, comparison.crowdShareMin] as const,
  }),
});

const sideOf = (kept: unknown): FaceSide | undefined =>
  isTemplate.Check(kept)
    ? { kind: "template", template: new Uint8Array() }
    : measurementOf(kept, (picture) => picture);

/** A hash's first digits that are enough to name a model. */
const hashDigitsMin = 8;

/** Whether a model that looked on is meant by `name`: its name, with or without its version, or its hash's first digits. */
export const isMeant = (name: string, [model, hash]: readonly [string, string]): boolean =>
  model === name || model.startsWith(`${name}@`) || (name.length >= hashDigitsMin && hash.startsWith(name));

/**
 * Puts the word of a network that only looked on in the place of the one that decided; pictures on which it said nothing
 * lose the cue.
 */
export const shadowOf =
  (name: string) =>
  (picture: MeasuredPicture): MeasuredPicture => {
    const { cues, shadow } = picture;
    if (cues === undefined) return picture;
    const { network: _network, networkSilence: _silence, ...rest } = cues;
    const spoke = Object.entries(shadow?.models ?? {}).some((model) => isMeant(name, model));
    return { ...picture, cues: shadow && spoke ? { ...rest, network: { live: shadow.live } } : rest };
  };
