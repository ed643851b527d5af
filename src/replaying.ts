/** Composition of `idem replay`: the judges of faces under the settings of now, changed as the command asks. */
import type { Config } from "./config.ts";
import { changePolicy } from "./face/policy-file.ts";
import { type Replayed, replay, shadowOf } from "./face/replay.ts";
import { readFacePolicy } from "./open-face-policy.ts";
import { readAdded } from "./open-models.ts";
import type { TransactionRecord } from "./storage/store.ts";

export type JudgeAgain = (call: TransactionRecord) => Replayed | undefined;

/** Throws Error where the policy file has a figure that the policy does not know. */
export const makeReplaying = async (
  config: Config,
  policyText: string | undefined,
  model: string | undefined,
): Promise<JudgeAgain> => {
  const own = await readFacePolicy(config, await readAdded(config));
  const policy = policyText === undefined ? own : changePolicy(own, policyText);
  const withNetwork = model === undefined ? undefined : shadowOf(model);
  return (call) => replay(call, policy, withNetwork);
};
