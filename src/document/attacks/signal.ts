/** Traces of attacks, each judged by itself. */
export const signalNames = [
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

export type SignalName = (typeof signalNames)[number];

/** What one trace says of one document. */
export type Signal = {
  readonly name: SignalName;
  /** Where it was seen. */
  readonly on: "front" | "back" | "document";
  /** `none`: looked for and not found. What could not be looked for gives no signal at all. */
  readonly level: "none" | "weak" | "strong";
  /** Natural log of how much likelier an attack makes this measurement than a genuine document, before calibration. */
  readonly weight: number;
  /** Numbers that it rests on, free of personal data. */
  readonly evidence: Readonly<Record<string, number>>;
};

/**
 * Weights before calibration. A trace is a hint unless its measurement was shown to tell copies: hints make a document doubtful
 * and, however one of them is scaled, never a spoof alone. Another face is weighed as a contradiction between two sources is:
 * one is for a person to look at.
 */
export const weights = { strongest: 3.8, hintMax: 1.9, contradiction: 3.2, otherFace: 3.2 } as const;

/** Traces that may make a spoof alone. */
export const decisiveSignals: readonly SignalName[] = ["grey-copy", "contradiction"];

/** Why an attack leaves the trace and a genuine document does not: for the operator, never for the applicant. */
export const signalReasons: Readonly<Record<SignalName, string>> = {
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
    "One printed line is darker than all others. Only text that was painted over and written again shows this; a piece of another card does not.",
  contradiction: "What the document says in one place contradicts what it says in another.",
  "other-face": "The face that was sent with the document is not the portrait's.",
};
