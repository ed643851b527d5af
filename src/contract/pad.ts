/** `result.decision` of the presentation-attack diagnostic. */
export const padDecisions = ["Credible", "Doubtful", "Spoof", "Error"] as const;

export type PadDecision = (typeof padDecisions)[number];

/** `api_version` of the diagnostic. It is the version of the analysis, not of the interface. */
export const padApiVersion = "1";

/** Reasons why a document is not credible, with their meaning. */
export const padReason = {
  Screen_Replay_Attack: "An image or video of a document was shown to the camera",
  Black_and_White_Printed_Copy_Attack: "A grayscale print was shown",
  Photo_Replacement_Attack: "A printed photo lies over the portrait; digital manipulation is not detected",
  SECURITY_PHOTO_CHECK: "The portrait was manipulated",
  SECURITY_DATA_CHECK: "The data was altered",
  SECURITY_OCR_CHECK: "Common data of front and back differ",
  NOT_PROCESSED_OCR: "No OCR data could be extracted",
  NOT_PROCESSED_PHOTO_CHECK: "The portrait check was not performed",
  NOT_PROCESSED_DATA_CHECK: "The field value check was not performed",
} as const;

export type PadReason = keyof typeof padReason;
