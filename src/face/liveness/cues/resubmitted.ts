import type { CueEvidence } from "./cue.ts";

/**
 * The best image is the very picture that it is compared with. Physical reason: two captures of a living face never
 * agree in every detail; a scan, a download or a photograph of the document's own portrait does. It needs a second
 * picture, so that it is judged where there is one (judge-best-image.ts), and it decides alone.
 */
export const resubmittedReference: CueEvidence = { cue: "resubmitted-reference", weight: 8 };
