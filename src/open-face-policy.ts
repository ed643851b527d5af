/** Composition of the face policy: the defaults, the operator's rates, and a fusion that was fitted on own pictures. */
import { readFile } from "node:fs/promises";
import type { Config } from "./config.ts";
import { assuranceWords, type DeploymentAssurance, refuseAdvisory } from "./face/assurance.ts";
import { parseFusion } from "./face/fusion-file.ts";
import { defaultFacePolicy, type FacePolicy, withFalseMatchRates, withFusion } from "./face/policy.ts";
import type { AddedModel } from "./open-models.ts";

/** Throws Error with the reason for a fusion file that cannot be read or must not be used. */
export const readFacePolicy = async ({ faces }: Pick<Config, "faces">): Promise<FacePolicy> => {
  const policy = withFalseMatchRates(defaultFacePolicy, faces.falseMatchRates);
  const { fusionFile } = faces;
  if (fusionFile === undefined) return policy;
  try {
    return withFusion(policy, parseFusion(await readFile(fusionFile, "utf8")));
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`IDEM_LIVENESS_FUSION names ${fusionFile}: ${reason}`, { cause });
  }
};

/** What the added models make of liveness. */
export const assuranceWith = (added: readonly AddedModel[]): DeploymentAssurance =>
  added.some(({ slot, role }) => slot === "liveness" && role === "active") ? "model" : "advisory";

/** What liveness is worth here in words for the operator, and why production would not start with it, if so. */
export const inspectLiveness = (
  { mode, faces }: Pick<Config, "mode" | "faces">,
  added: readonly AddedModel[],
): { readonly words: string; readonly refusal: string | undefined } => {
  const level = assuranceWith(added);
  return { words: assuranceWords[level], refusal: refuseAdvisory(level, mode, faces.advisoryLiveness) };
};

/** Throws Error with what to do where production would judge liveness by advice alone and nobody accepted that. */
export const requireAssurance = (
  config: Pick<Config, "mode" | "faces">,
  added: readonly AddedModel[],
): void => {
  const { refusal } = inspectLiveness(config, added);
  if (refusal !== undefined) throw new Error(refusal);
};
