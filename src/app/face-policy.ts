/**
 * Composition of the face policy: the defaults, the operator's rates and scale, and a fusion fitted on own
 * images.
 */
import { readFile } from "node:fs/promises";
import type { AssuranceLevel } from "#contract/liveness";
import { parseFusion } from "#judging/face/liveness/fusion-file";
import { type LevelMin, usualLevelMin } from "#judging/face/liveness/level";
import {
  defaultFacePolicy,
  type FacePolicy,
  withFalseMatchRates,
  withFusion,
  withoutLicence,
  withScale,
} from "#judging/face/policy";
import type { JudgingCall } from "#judging/face/use-best-image";
import type { Config } from "#machine/config/config";
import type { SelectedModels } from "#machine/models/selected";
import { readOwnCohort } from "./cohort.ts";
import { findScale } from "./recogniser.ts";

/** The face policy in force. Throws Error with the reason for an unreadable or unusable fusion or cohort. */
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
    return refuse(`is no usable fusion (${cause instanceof Error ? cause.message : String(cause)})`, cause);
  }
};

/** The level of assurance of a deployment, before any image comes: the others depend on the image. */
type DeploymentAssurance = Exclude<AssuranceLevel, "unsealed" | "multi-frame" | "active-turn">;

/** Each level for the operator, never for the capture subject. */
const assuranceTexts: Readonly<Record<AssuranceLevel, string>> = {
  unsealed: "unsealed: an open image, which no capture page sealed",
  advisory:
    "advisory: physical cues of one image, no trained model; prints and screens that fill the frame, cut-outs and masks may pass",
  model: "model: a trained network beside the physical cues",
  "multi-frame": "multi-frame: several frames of one capture showed the person move",
  "active-turn":
    "active-turn: frames of a capture session showed a thing with the relief of a face that rotated as a fresh challenge asked; no video, mask, face swap or injection is excluded",
};

/** The sentence with which production refuses to start; undefined if it may start. */
const refuseAdvisory = (
  level: DeploymentAssurance,
  mode: "development" | "production",
  advisory: "refused" | "accepted",
): string | undefined =>
  mode === "production" && level === "advisory" && advisory === "refused"
    ? "Liveness is advisory: no trained model is in its slot. Put one there (idem models fetch minifasnet, or without internet idem models add --file PATH for each of its files; then idem models use minifasnet), or say that this is accepted: IDEM_ADVISORY_LIVENESS=accepted"
    : undefined;

/** The level of assurance of liveness in a deployment, for the operator. Made by {@link inspectLiveness}. */
export type LivenessState = {
  /** `unlicensed`: the chosen network must not be used, and every answer is 15. */
  readonly level: DeploymentAssurance | "unlicensed";
  readonly words: string;
  /** Why production refuses to start; undefined if it starts. */
  readonly refusal?: string;
  /** The next step for the operator; undefined if nothing is wrong. */
  readonly advice?: string;
};

/** The least level of a best image in this deployment, by the kind of the call. */
export const bestImageLevels = ({
  mode,
  faces: { livenessLevelMin },
}: Pick<Config, "mode" | "faces">): Readonly<Record<JudgingCall, LevelMin>> => {
  const usual = usualLevelMin(mode);
  return {
    identity: livenessLevelMin.identity ?? usual,
    authenticateUser: livenessLevelMin.authenticateUser ?? usual,
    liveness: livenessLevelMin.liveness ?? usual,
  };
};

/** The level of assurance that the chosen models give liveness under these settings. */
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
  const levels = Object.values(bestImageLevels({ mode, faces }));
  const words = levels.every((min) => min === "passive")
    ? assuranceTexts[level]
    : `${assuranceTexts[level]}. Captures: ${assuranceTexts["active-turn"]}`;
  return { level, words, ...(refusal !== undefined && { refusal, advice: refusal }) };
};

/**
 * Throws Error with the next step if production has advisory liveness alone and the operator did not accept
 * that.
 */
export const requireAssurance = ({ refusal }: LivenessState): void => {
  if (refusal !== undefined) throw new Error(refusal);
};
