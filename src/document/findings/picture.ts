import type { ReasonCode } from "#contract/reason-code";
import type { DocumentCase, Finding, Question } from "../finding.ts";
import { cardScore } from "../locate/find-quad.ts";
import type { DocumentPolicy } from "../policy.ts";
import type { CardSighting, SideReading } from "../reading.ts";
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
  const isBlurred = quality.sharpness < limits.sharpnessMin;
  const isBlownOut = quality.overexposedShare > limits.overexposedShareMax;
  const isDark = quality.brightness < limits.brightnessMin;
  return [
    finding({
      name: `${side}-picture-poor`,
      stage: "capture",
      code: 204,
      consequence: "resubmit",
      neededForApproval: true,
      holds: isSmall || isCompressed || (!isRead && (isBlurred || isBlownOut || isDark)),
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
      holds: isCut(policy, card, mrz?.room),
      evidence: {
        ...(card === undefined ? {} : { score: card.score, outsideShare: card.outsideShare }),
        ...(mrz?.room === undefined ? {} : { room: mrz.room }),
      },
    }),
    aloneIn(side, card, otherPortraits),
  ];
};

/**
 * By the outline, or by the place that Doc 9303 gives the zone on its document. `unknown`: a card that fills the frame has no
 * borders to locate, so that none was found says nothing, nor does a zone that is far from every border.
 */
const isCut = (
  { card: { outsideShareMax } }: DocumentPolicy,
  card: CardSighting | undefined,
  room = 0,
): boolean | "unknown" => {
  const isTrusted = card !== undefined && card.score >= cardScore.trusted;
  if (room < -roomSlack || (isTrusted && card.outsideShare > outsideShareMax)) return true;
  return isTrusted ? false : "unknown";
};

/** Half a millimetre of a passport: what the zone's corners are uncertain by. */
const roomSlack = 0.004;

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
