import type { AssuranceLevel } from "./judge-liveness.ts";

/** What a deployment's liveness is worth before any picture comes: `multi-frame` depends on the token. */
export type DeploymentAssurance = Exclude<AssuranceLevel, "multi-frame">;

/** In words for the operator; never for a person who is judged. */
export const assuranceWords: Readonly<Record<AssuranceLevel, string>> = {
  advisory:
    "advisory: physical cues of one picture, no trained model; prints and screens that fill the frame, cut-outs and masks may pass",
  model: "model: a trained network beside the physical cues",
  "multi-frame": "multi-frame: several frames of one capture showed the person move",
};

/** The sentence with which production refuses to start; undefined where it may. */
export const refuseAdvisory = (
  level: DeploymentAssurance,
  mode: "development" | "production",
  advisory: "refused" | "accepted",
): string | undefined =>
  mode === "production" && level === "advisory" && advisory === "refused"
    ? "Liveness is advisory: no trained model is in its slot. Put one there (idem models fetch minifasnet, or without internet idem models add --file PATH for each of its files; then idem models use minifasnet), or say that this is accepted: IDEM_ADVISORY_LIVENESS=accepted"
    : undefined;
