import type { PadReason } from "#contract/pad";
import { type DocumentCue, type DocumentCueName, portraitCues } from "../attacks/cue.ts";
import { isDoubtOfPortrait } from "../attacks/portrait-bound.ts";
import type { Finding, Stage } from "../finding.ts";
import type { FindingName } from "../finding-names.ts";

const reasonsOfCues: Readonly<Partial<Record<DocumentCueName, PadReason>>> = {
  "grey-copy": "Black_and_White_Printed_Copy_Attack",
  "grey-portrait": "Black_and_White_Printed_Copy_Attack",
  "fine-pattern": "Screen_Replay_Attack",
  // The rim of a sheet or of a screen; the interface has no name for it.
  "rim-around-card": "Screen_Replay_Attack",
  "portrait-noise": "Photo_Replacement_Attack",
  "portrait-even-noise": "Photo_Replacement_Attack",
  "portrait-grid": "SECURITY_PHOTO_CHECK",
  "portrait-history": "SECURITY_PHOTO_CHECK",
  "portrait-detail": "SECURITY_PHOTO_CHECK",
  "ghost-differs": "SECURITY_PHOTO_CHECK",
  "other-face": "SECURITY_PHOTO_CHECK",
  "edited-line": "SECURITY_DATA_CHECK",
  contradiction: "SECURITY_DATA_CHECK",
};

/**
 * A rim alone has no name of its own: it is named only where nothing else is. A trace of the portrait is
 * named where it is a doubt, so that no doubt about the portrait goes with an approval.
 */
const isNamed = (cue: DocumentCue): boolean =>
  portraitCues.includes(cue.name)
    ? isDoubtOfPortrait(cue)
    : cue.level !== "none" && cue.name !== "rim-around-card";

const reasonOf = ({ name }: DocumentCue): readonly PadReason[] => {
  const reason = reasonsOfCues[name];
  return reason === undefined ? [] : [reason];
};

/** The reasons of the traces that were found. Contradictions are named by their findings. */
export const reasonsOfTraces = (cues: readonly DocumentCue[]): readonly PadReason[] =>
  cues.filter((cue) => isNamed(cue) && cue.name !== "contradiction").flatMap(reasonOf);

/** Front and back are of two documents. */
const twoDocumentsCode = 642;

/** Another type or country than declared. */
const otherThanDeclaredCode = 602;

const fraudStages: readonly Stage[] = ["contradiction", "recapture", "portrait"];

const otherStages: readonly Stage[] = ["expiry", "age", "face", "history", "outside"];

/**
 * Whether a finding is about the document's genuineness. Expiry, age, history, lists, the registered user and
 * the countries that the operator serves are not.
 */
export const concernsGenuineness = ({ stage, name }: Finding): boolean =>
  !otherStages.includes(stage) && name !== "country-not-served";

/**
 * The findings of the validation that name a doubt about the document: signs of fraud, another declaration,
 * or two documents.
 */
export const doubtsOf = (findings: readonly Finding[]): readonly Finding[] =>
  findings.filter(
    ({ stage, code, holds }) =>
      holds === true &&
      (code === twoDocumentsCode || code === otherThanDeclaredCode || fraudStages.includes(stage)),
  );

/** Whether a doubt is that the print of a side was not compared with the document's data. */
export const isOfTie = ({ name }: Finding): boolean => uncompared.includes(name);

const uncompared: readonly FindingName[] = ["front-unread", "sides-untied", "print-unclear"];

/**
 * The reasons of contradictions. Sides that contradict each other are distinguished from data that is wrong
 * in itself.
 */
export const reasonsOfContradictions = (doubts: readonly Finding[]): readonly PadReason[] =>
  doubts
    .filter(({ stage, code }) => code === twoDocumentsCode || stage === "contradiction")
    .map(({ code, evidence }) =>
      code === twoDocumentsCode || evidence["isAcrossSides"] === true
        ? "SECURITY_OCR_CHECK"
        : "SECURITY_DATA_CHECK",
    );

/** The reason of a doubt that the interface does not name: the declaration, or the heaviest weak trace. */
export const nearestReason = (
  doubts: readonly Finding[],
  cues: readonly DocumentCue[],
): readonly PadReason[] =>
  doubts.some(({ code }) => code === otherThanDeclaredCode)
    ? ["SECURITY_DATA_CHECK"]
    : cues
        .filter(({ weight }) => weight > 0)
        .toSorted((a, b) => b.weight - a.weight)
        .slice(0, 1)
        .flatMap(reasonOf);
