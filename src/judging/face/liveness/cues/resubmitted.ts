import type { CueEvidence } from "./cue.ts";

/**
 * The best image is the same image as its reference. Physical reason: two captures of a living face never
 * agree in every detail; a scan, a download or a photograph of the document portrait does. It decides alone.
 * It needs a second image: judge-best-image.ts adds it.
 */
export const resubmittedReference: CueEvidence = { cue: "resubmitted-reference", weight: 8 };
