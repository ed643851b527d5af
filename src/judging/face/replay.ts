import { Type } from "typebox";
import { makeCheck } from "#contract/make-check";
import type { TransactionRecord } from "#record/transactions/record";
import { defaultChallengePolicy } from "./challenge/policy.ts";
import { replayCapture } from "./challenge/replay-capture.ts";
import type { MeasuredImage } from "./measurement.ts";
import type { FacePolicy } from "./policy.ts";
import { replayAttempt } from "./replay-attempt.ts";
import { type Replayed, replayComparison, replayLiveness, type WithNetwork } from "./replay-halves.ts";

const isMeasurements = makeCheck(Type.Record(Type.String(), Type.Unknown()));

type Kept = Readonly<Record<string, unknown>>;
type Replay = (kept: Kept, policy: FacePolicy, withNetwork: WithNetwork) => Replayed | undefined;

/**
 * The keys of a call's record with its images: the image judged for liveness, and the two that were compared.
 */
type Places = { readonly live?: string; readonly compared?: readonly [string, string] };

const replayPlaces =
  ({ live, compared }: Places, isReference = false): Replay =>
  (kept, policy, withNetwork) => {
    const liveness = live && replayLiveness(kept["liveness"], kept[live], policy, withNetwork);
    const facial =
      compared &&
      replayComparison(kept["comparison"], [kept[compared[0]], kept[compared[1]]], policy, isReference);
    return liveness || facial ? { ...(liveness && { liveness }), ...(facial && { facial }) } : undefined;
  };

/** A step of a capture session. The document's steps hold no face. */
const replayStep: Replay = ({ measured }, { liveness }, withNetwork) => {
  const replayed = replayCapture(measured, { challenge: defaultChallengePolicy, liveness }, withNetwork);
  return replayed && { capture: { was: replayed.was.result, now: replayed.now.result } };
};

const replays: Readonly<Record<string, Replay>> = {
  identity: replayPlaces({ live: "bestImage", compared: ["reference", "bestImage"] }, true),
  evaluatePassiveLiveness: replayPlaces({ live: "picture" }),
  evaluatePassiveLivenessToken: replayPlaces({ live: "picture" }),
  authenticateFacial: replayPlaces({ compared: ["first", "second"] }),
  authenticateUser: replayAttempt,
  authenticateUserV2: replayAttempt,
  captureStep: replayStep,
};

/**
 * Judges a stored call again under another policy, or with the score of another liveness network
 * (`withNetwork`). Undefined for calls that judge no face or were stored in another form.
 */
export const replay = (
  { endpoint, measurements }: Pick<TransactionRecord, "endpoint" | "measurements">,
  policy: FacePolicy,
  withNetwork: WithNetwork = (image) => image,
): Replayed | undefined => {
  const again = Object.hasOwn(replays, endpoint) ? replays[endpoint] : undefined;
  return isMeasurements.Check(measurements) ? again?.(measurements, policy, withNetwork) : undefined;
};

/** The first digits of a hash that suffice to name a model. */
const hashDigitsMin = 8;

/**
 * True if `name` identifies a shadow model: its name, with or without its version, or the first digits of its
 * hash.
 */
export const isMeant = (name: string, [model, hash]: readonly [string, string]): boolean =>
  model === name || model.startsWith(`${name}@`) || (name.length >= hashDigitsMin && hash.startsWith(name));

/**
 * Replaces the deciding network's score by that of a shadow network; images without a shadow score lose the
 * cue.
 */
export const shadowOf =
  (name: string): WithNetwork =>
  (image: MeasuredImage) => {
    const { cues, shadow } = image;
    if (cues === undefined) return image;
    const { network: _network, networkSilence: _silence, ...rest } = cues;
    const hasScore = Object.entries(shadow?.models ?? {}).some((model) => isMeant(name, model));
    return { ...image, cues: shadow && hasScore ? { ...rest, network: { live: shadow.live } } : rest };
  };
