import { Type } from "typebox";
import { Compile } from "typebox/compile";
import type { TransactionRecord } from "#storage/store";
import type { MeasuredPicture } from "./measurement.ts";
import type { FacePolicy } from "./policy.ts";
import { type Replayed, replayComparison, replayLiveness, type WithNetwork } from "./replay-halves.ts";
import { replayVisit } from "./replay-visit.ts";

const isMeasurements = Compile(Type.Record(Type.String(), Type.Unknown()));

type Kept = Readonly<Record<string, unknown>>;
type Replay = (kept: Kept, policy: FacePolicy, withNetwork: WithNetwork) => Replayed | undefined;

/** Where a call's record has its pictures: the one whose liveness was judged, and the two that were compared. */
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

const replays: Readonly<Record<string, Replay>> = {
  identity: replayPlaces({ live: "bestImage", compared: ["reference", "bestImage"] }, true),
  evaluatePassiveLiveness: replayPlaces({ live: "picture" }),
  evaluatePassiveLivenessToken: replayPlaces({ live: "picture" }),
  authenticateFacial: replayPlaces({ compared: ["first", "second"] }),
  authenticateUser: replayVisit,
  authenticateUserV2: replayVisit,
};

/**
 * Judges a stored call again from what was kept of it, under another policy or with another liveness network's word in
 * place of what decided (`withNetwork`). Undefined for calls that judge no face, or were stored in another form.
 */
export const replay = (
  { endpoint, measurements }: Pick<TransactionRecord, "endpoint" | "measurements">,
  policy: FacePolicy,
  withNetwork: WithNetwork = (picture) => picture,
): Replayed | undefined => {
  const again = Object.hasOwn(replays, endpoint) ? replays[endpoint] : undefined;
  return isMeasurements.Check(measurements) ? again?.(measurements, policy, withNetwork) : undefined;
};

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
  (name: string): WithNetwork =>
  (picture: MeasuredPicture) => {
    const { cues, shadow } = picture;
    if (cues === undefined) return picture;
    const { network: _network, networkSilence: _silence, ...rest } = cues;
    const spoke = Object.entries(shadow?.models ?? {}).some((model) => isMeant(name, model));
    return { ...picture, cues: shadow && spoke ? { ...rest, network: { live: shadow.live } } : rest };
  };
