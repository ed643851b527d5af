/** Composition of `idem replay`: the face judges under the current settings, changed as the command asks. */

import type { MeasuredImage } from "#judging/face/measurement";
import { scaleIn } from "#judging/face/policy";
import { changePolicy } from "#judging/face/policy-file";
import { isMeant, replay, shadowOf } from "#judging/face/replay";
import type { Replayed } from "#judging/face/replay-halves";
import type { Config } from "#machine/config/config";
import { falseMatchRates } from "#machine/config/variables";
import type { TransactionRecord } from "#record/transactions/record";
import { readFacePolicy } from "./face-policy.ts";
import { readAdded } from "./models.ts";

/** Judges stored calls again. Made by {@link makeReplayer}. */
export type Replayer = {
  /** Judges a stored call again. Undefined if it judges no face or is stored in another form. */
  readonly judge: (call: TransactionRecord) => Replayed | undefined;
  /** Whether the call was judged under another cohort or recogniser. Its scores are not recomputed. */
  readonly usesOtherScale: (call: TransactionRecord) => boolean;
  /**
   * Coverage of the wanted shadow model: its images, all images judged so far, and the other shadow models.
   */
  readonly shadowCoverage: () => {
    readonly images: number;
    readonly total: number;
    readonly others: readonly string[];
  };
};

/**
 * Judges with the policy in force, or changed by `policyText`. Throws Error for an unknown entry or an
 * invalid value.
 */
export const makeReplayer = async (
  config: Config,
  policyText: string | undefined,
  model: string | undefined,
): Promise<Replayer> => {
  const current = await readFacePolicy(config, await readAdded(config));
  const policy = policyText === undefined ? current : changePolicy(current, policyText, falseMatchRates);
  const others = new Set<string>();
  let [images, total] = [0, 0];
  const withNetwork = (image: MeasuredImage): MeasuredImage => {
    if (model === undefined) return image;
    const models = Object.entries(image.shadow?.models ?? {});
    total++;
    if (models.some((entry) => isMeant(model, entry))) images++;
    else for (const [name] of models) others.add(name);
    return shadowOf(model)(image);
  };
  return {
    judge: (call) => replay(call, policy, withNetwork),
    usesOtherScale: ({ policyVersion }) => scaleIn(policyVersion) !== scaleIn(current.version),
    shadowCoverage: () => ({ images, total, others: [...others] }),
  };
};
