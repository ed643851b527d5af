/** Composition of `idem replay`: the judges of faces under the settings of now, changed as the command asks. */
import type { Config } from "./config.ts";
import { falseMatchRates } from "./config-variables.ts";
import type { MeasuredPicture } from "./face/measurement.ts";
import { scaleIn } from "./face/policy.ts";
import { changePolicy } from "./face/policy-file.ts";
import { isMeant, replay, shadowOf } from "./face/replay.ts";
import type { Replayed } from "./face/replay-halves.ts";
import { readFacePolicy } from "./open-face-policy.ts";
import { readAdded } from "./open-models.ts";
import type { TransactionRecord } from "./storage/store.ts";

export type Replaying = {
  readonly judge: (call: TransactionRecord) => Replayed | undefined;
  /** Whether another cohort or recogniser was in force when the call was judged: what it scored stays as it was. */
  readonly isOfOtherScale: (call: TransactionRecord) => boolean;
  /** Of the pictures judged so far, on how many the wanted model had looked, and who else looked on. */
  readonly lookedOn: () => {
    readonly pictures: number;
    readonly of: number;
    readonly others: readonly string[];
  };
};

/** Throws Error where the policy file has a figure that the policy does not know, or a value that the figure does not take. */
export const makeReplaying = async (
  config: Config,
  policyText: string | undefined,
  model: string | undefined,
): Promise<Replaying> => {
  const own = await readFacePolicy(config, await readAdded(config));
  const policy = policyText === undefined ? own : changePolicy(own, policyText, falseMatchRates);
  const others = new Set<string>();
  let [pictures, of] = [0, 0];
  const withNetwork = (picture: MeasuredPicture): MeasuredPicture => {
    if (model === undefined) return picture;
    const seen = Object.entries(picture.shadow?.models ?? {});
    of++;
    if (seen.some((one) => isMeant(model, one))) pictures++;
    else for (const [name] of seen) others.add(name);
    return shadowOf(model)(picture);
  };
  return {
    judge: (call) => replay(call, policy, withNetwork),
    isOfOtherScale: ({ policyVersion }) => scaleIn(policyVersion) !== scaleIn(own.version),
    lookedOn: () => ({ pictures, of, others: [...others] }),
  };
};
