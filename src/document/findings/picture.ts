import type { ReasonCode } from "#contract/reason-code";
import type { DocumentCase, Finding, Question } from "../finding.ts";
import { isTrusted } from "../locate/find-quad.ts";
import type { DocumentPolicy } from "../policy.ts";
import type { CardSighting, MrzSighting, PictureQuality, SideReading } from "../reading.ts";
import { finding } from "./answer.ts";

/**
 * Is each picture good enough (204), the card whole in it (614, 615), and no other beside it (642)? Size and compression
 * are judged always: the interface states them. Blur, glare and darkness only where the data could not be read: what was
 * read with certainty was visible.
 */
export const askPictures: Question = (document) => {
  const { front, back } = document.reading;
  return [
    ...ofSide(document, "front", front, 614),
    ...(back === undefined ? [] : ofSide(document, "back", back, 615)),
  ];
};

const ofSide = (
  { policy, fields }: DocumentCase,
  side: "front" | "back",
  { quality, card, mrz, otherPortraits }: SideReading,
  cutCode: ReasonCode,
): readonly Finding[] => {
  const limits = policy.picture;
  const shortSidePx = Math.min(quality.width, quality.height);
  const isSmall = shortSidePx < limits.shortSidePxMin;
  const isCompressed = (quality.jpegQuality ?? 100) < limits.jpegQualityMin;
  const isRead =
    fields.mrz?.sighting.accepted === true ||
    fields.licence !== undefined ||
    (fields.model !== undefined && fields.values.documentNumber !== undefined);
  return [
    finding({
      name: `${side}-picture-poor`,
      stage: "capture",
      code: 204,
      consequence: "resubmit",
      neededForApproval: true,
      holds: isSmall || isCompressed || (!isRead && isHardToSee(quality, limits)),
      evidence: {
        shortSidePx,
        sharpness: quality.sharpness,
        overexposedShare: quality.overexposedShare,
        brightness: quality.brightness,
        ...(quality.jpegQuality === undefined ? {} : { jpegQuality: quality.jpegQuality }),
      },
    }),
    finding({
      name: `${side}-cut`,
      stage: "capture",
      code: cutCode,
      consequence: "resubmit",
      holds: isCut(policy, card, mrz),
      evidence: {
        ...(card === undefined ? {} : { score: card.score, outsideShare: card.outsideShare }),
        ...(mrz?.room === undefined ? {} : { room: mrz.room }),
      },
    }),
    aloneIn(side, card, otherPortraits),
  ];
};

/** Blurred, blown out or dark. */
export const isHardToSee = (
  { sharpness, overexposedShare, brightness }: PictureQuality,
  limits: DocumentPolicy["picture"],
): boolean =>
  sharpness < limits.sharpnessMin ||
  overexposedShare > limits.overexposedShareMax ||
  brightness < limits.brightnessMin;

/**
 * By an outline that is trusted, else by the place that Doc 9303 gives a clear zone on its document. `unknown`: a card that
 * fills the frame has no borders to locate, so that none was found says nothing, nor does a zone that is far from every border.
 */
const isCut = (
  { card: { outsideShareMax } }: DocumentPolicy,
  card: CardSighting | undefined,
  mrz: MrzSighting | undefined,
): boolean | "unknown" => {
  if (isTrusted(card)) return card.outsideShare > outsideShareMax;
  return mrz?.clear === true && (mrz.room ?? 0) < -outsideShareMax ? true : "unknown";
};

const aloneIn = (
  side: "front" | "back",
  card: CardSighting | undefined,
  otherPortraits: number | undefined,
): Finding => {
  const others = Math.max(card?.others ?? 0, otherPortraits ?? 0);
  return finding({
    name: `${side}-not-alone`,
    stage: "capture",
    code: 642,
    consequence: "resubmit",
    // Of pairs of cards without portraits one in four is told: that none was told says little.
    holds: others > 0,
    evidence: { others },
  });
};
