/** Presentation attack cues of a document, each judged alone. */
export const documentCueNames = [
  "grey-copy",
  "grey-portrait",
  "fine-pattern",
  "rim-around-card",
  "portrait-noise",
  "portrait-even-noise",
  "portrait-grid",
  "portrait-history",
  "portrait-detail",
  "ghost-differs",
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

/** A cue of one side, before its side is named. */
export type SideCue = Omit<DocumentCue, "on">;

/** The level of a value that rises with the evidence. */
export const levelFrom = (
  value: number,
  { weak, strong }: { readonly weak: number; readonly strong: number },
): DocumentCue["level"] => (value >= strong ? "strong" : value >= weak ? "weak" : "none");

/**
 * Weights before calibration. A cue is a hint unless measurements show that it separates copies from genuine
 * documents. One hint makes a document doubtful; under no scale it makes a spoof alone. Another face, sent or
 * as a ghost, weighs as much as a contradiction between two sources: one of them is for a review.
 */
export const cueWeights = { strongest: 3.8, hintMax: 1.9, contradiction: 3.2, otherFace: 3.2 } as const;

/**
 * Traces that the portrait is not bound to its card. They are one evidence, by their strongest: one
 * replacement leaves several of them.
 */
export const portraitCues: readonly DocumentCueName[] = [
  "portrait-noise",
  "portrait-even-noise",
  "portrait-grid",
  "portrait-history",
  "portrait-detail",
  "ghost-differs",
];

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
  "portrait-even-noise":
    "One sensor's noise is even over the card, and the portrait or the face has another: that part was put into the file later.",
  "portrait-grid":
    "The file carries a grid of compression in the portrait that it has nowhere else: the portrait was put there on a computer. One resize of the file takes this trace away.",
  "portrait-history":
    "The card was compressed once more than its portrait or its face: that part was put into the file later. One resize of the file takes this trace away.",
  "portrait-detail":
    "The portrait or its face lacks fine detail that the rest of the card, or the portrait around the face, has: it was enlarged from a smaller image.",
  "ghost-differs": "The small second portrait on the card is of another person than the portrait.",
  "edited-line":
    "One printed line is darker than the other dark lines. Only text that was painted over and written again shows this; a piece of another card does not.",
  contradiction: "What the document says in one place contradicts what it says in another.",
  "other-face": "The face that was sent with the document is not the portrait's.",
};
