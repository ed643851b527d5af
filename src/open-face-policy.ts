/** Composition of the face policy: the defaults, the operator's rates, and a fusion that was fitted on own pictures. */
import { readFile } from "node:fs/promises";
import type { Config } from "./config.ts";
import { assuranceWords, type DeploymentAssurance, refuseAdvisory } from "./face/liveness/assurance.ts";
import { parseFusion } from "./face/liveness/fusion-file.ts";
import {
  defaultFacePolicy,
  type FacePolicy,
  withFalseMatchRates,
  withFusion,
  withoutLicence,
  withScale,
} from "./face/policy.ts";
import type { SelectedModels } from "./models/selected.ts";
import { readOwnCohort } from "./open-cohort.ts";
import { findScale } from "./open-recogniser.ts";

/** Throws Error with the reason for a fusion or a cohort that cannot be read or must not be used. */
export const readFacePolicy = async (
  { faces }: Pick<Config, "faces">,
  selected: SelectedModels,
): Promise<FacePolicy> => {
  const own = withFalseMatchRates(defaultFacePolicy, faces.falseMatchRates);
  const scale = findScale(selected, await readOwnCohort({ faces }));
  const scaled = scale === undefined ? own : withScale(own, scale);
  const policy = selected.liveness?.unlicensed === undefined ? scaled : withoutLicence(scaled);
  const { fusionFile } = faces;
  if (fusionFile === undefined) return policy;
  const refuse = (reason: string, cause: unknown): never => {
    throw new Error(
      `IDEM_LIVENESS_FUSION names ${fusionFile}, which ${reason}. Make one with idem train liveness, or leave it out.`,
      { cause },
    );
  };
  const text = await readFile(fusionFile, "utf8").catch((cause: unknown) => refuse("cannot be read", cause));
  try {
    return withFusion(policy, parseFusion(text));
  } catch (cause) {
    return refuse(
      `is none that can be used (${cause instanceof Error ? cause.message : String(cause)})`,
      cause,
    );
  }
};

/** What liveness is worth in a deployment, for the operator. */
export type LivenessState = {
  /** `unlicensed`: the chosen network must not be used, and every answer is 15. */
  readonly level: DeploymentAssurance | "unlicensed";
  readonly words: string;
  /** Why production does not start so; undefined where it does. */
  readonly refusal?: string;
  /** What to do where something is wrong that does not keep the service from starting. */
  readonly advice?: string;
};

/** What the chosen models make of liveness under these settings. */
export const inspectLiveness = (
  { mode, faces }: Pick<Config, "mode" | "faces">,
  { liveness }: SelectedModels,
): LivenessState => {
  if (liveness?.unlicensed !== undefined) {
    return {
      level: "unlicensed",
      words: `unlicensed: the chosen network must not be used (${liveness.unlicensed}), every answer is 15`,
      advice: "Choose another (idem models use), or none (idem models use --none liveness).",
    };
  }
  const level = liveness !== undefined && liveness.active.length > 0 ? "model" : "advisory";
  const refusal = refuseAdvisory(level, mode, faces.advisoryLiveness);
  return { level, words: assuranceWords[level], ...(refusal !== undefined && { refusal, advice: refusal }) };
};

/** Throws Error with what to do where production would judge liveness by advice alone and nobody accepted that. */
export const requireAssurance = ({ refusal }: LivenessState): void => {
  if (refusal !== undefined) throw new Error(refusal);
};
