/** Presentation attack cues of a document, each judged alone. */
export const documentCueNames = [
  "grey-copy",
  "grey-portrait",
  "fine-pattern",
  "rim-around-card",
  "portrait-noise",
  "portrait-grid",
  "edited-line",
  "contradiction",
  "other-face",
] as const;

export type DocumentCueName = (typeof documentCueNames)[number];

/** The result of one cue for one document. */
export type DocumentCue = {
  readonly name: DocumentCueName;
  /** Where the cue was measured. */
  readonly on: "front" | "back" | "document";
  /** `none`: the trace was measured and not found. A cue that was not measured is absent. */
  readonly level: "none" | "weak" | "strong";
  /** Natural log of the likelihood ratio, attack over genuine document, before calibration. */
  readonly weight: number;
  /** The numbers behind the result, without personal data. */
  readonly evidence: Readonly<Record<string, number>>;
};

/**
 * Weights before calibration. A cue is a hint unless measurements show that it separates copies from genuine
 * documents. One hint makes a document doubtful; under no scale it makes a spoof alone. Another face weighs
 * as much as a contradiction between two sources: one of them is for a review.
 */
export const cueWeights = { strongest: 3.8, hintMax: 1.9, contradiction: 3.2, otherFace: 3.2 } as const;

/** Cues that may make a spoof alone. */
export const decisiveCues: readonly DocumentCueName[] = ["grey-copy", "contradiction"];

/**
 * Why an attack causes the cue and a genuine document does not: for the operator, never for the applicant.
 */
export const cueReasons: Readonly<Record<DocumentCueName, string>> = {
  "grey-copy":
    "The card has no colour of its own: it is a grey copy, or a grey scan of a genuine card, which looks the same.",
  "grey-portrait": "Around the portrait there is no colour, whatever the outline of the card is.",
  "fine-pattern":
    "The card carries a regular pattern finer than print: the pixels of a screen or the dots of a printer. A screen whose pixels are half as large as the camera's is not seen.",
  "rim-around-card":
    "A band of one colour runs around the card and ends in edges parallel to its own: an uncut copy, or a screen's rim. Table mats and sheets under genuine cards look the same.",
  "portrait-noise":
    "The portrait has another noise than the rest of the card, as another photograph laid over it has. Glossy film over a genuine portrait may do the same.",
  "portrait-grid":
    "The file carries a grid of compression in the portrait that it has nowhere else: the portrait was put there on a computer. One resize of the file takes this trace away.",
  "edited-line":
    "One printed line is darker than the other dark lines. Only text that was painted over and written again shows this; a piece of another card does not.",
  contradiction: "What the document says in one place contradicts what it says in another.",
  "other-face": "The face that was sent with the document is not the portrait's.",
};
