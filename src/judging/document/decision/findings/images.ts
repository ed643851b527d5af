import type { ReasonCode } from "#contract/reason-code";
import { isTrusted } from "../../reading/locate/located-card.ts";
import type { CardSummary, ImageQuality, MrzSummary, SideReading } from "../../reading/reading.ts";
import type { DocumentCase, Finding, FindingRule } from "../finding.ts";
import type { DocumentPolicy } from "../policy.ts";
import { finding } from "./finding-defaults.ts";

/**
 * An image is too poor (204), the card is cut (614, 615), or another document is beside it (642). Size and
 * compression are always judged: the interface states them. Blur, glare and darkness are judged only where
 * the data could not be read: data that was read was visible.
 */
export const imagesRule: FindingRule = (document) => {
  const { front, back } = document.reading;
  return [
    ...ofSide(document, "front", front, 614),
    ...(back === undefined ? [] : ofSide(document, "back", back, 615)),
  ];
};

const ofSide = (
  { policy, fields }: DocumentCase,
  side: "front" | "back",
  { quality, card, mrz, otherCards, otherPortraits }: SideReading,
  cutCode: ReasonCode,
): readonly Finding[] => {
  const limits = policy.image;
  const shortSidePx = Math.min(quality.width, quality.height);
  const isRead =
    fields.mrz?.summary.accepted === true ||
    fields.licence !== undefined ||
    (fields.model !== undefined && fields.values.documentNumber !== undefined);
  return [
    finding({
      name: `${side}-picture-poor`,
      stage: "capture",
      code: 204,
      consequence: "resubmit",
      neededForApproval: true,
      holds: isTooSmall(quality, limits) || (!isRead && isHardToSee(quality, limits)),
      evidence: {
        shortSidePx,
        sharpness: quality.sharpness,
        overexposedShare: quality.overexposedShare,
        brightness: quality.brightness,
        ...(quality.jpegQuality === undefined ? {} : { jpegQuality: quality.jpegQuality }),
        ...brokenLimits(quality, limits, isRead),
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
        ...(mrz?.margin === undefined ? {} : { room: mrz.margin }),
      },
    }),
    aloneIn(side, Math.max(otherCards ?? 0, otherPortraits ?? 0)),
  ];
};

/** Whether an image has too few pixels, or is compressed too much. */
export const isTooSmall = (
  { width, height, jpegQuality }: ImageQuality,
  { shortSidePxMin, jpegQualityMin }: DocumentPolicy["image"],
): boolean => Math.min(width, height) < shortSidePxMin || (jpegQuality ?? 100) < jpegQualityMin;

/**
 * The limits that an image breaks, by the names of the policy: beside the figures of the evidence they name
 * the rule.
 */
const brokenLimits = (
  quality: ImageQuality,
  limits: DocumentPolicy["image"],
  isRead: boolean,
): Readonly<Record<string, number>> => {
  const { width, height, jpegQuality, sharpness, overexposedShare, brightness } = quality;
  const { shortSidePxMin, jpegQualityMin, sharpnessMin, overexposedShareMax, brightnessMin } = limits;
  return {
    ...(Math.min(width, height) < shortSidePxMin && { shortSidePxMin }),
    ...((jpegQuality ?? 100) < jpegQualityMin && { jpegQualityMin }),
    ...(!isRead && sharpness < sharpnessMin && { sharpnessMin }),
    ...(!isRead && overexposedShare > overexposedShareMax && { overexposedShareMax }),
    ...(!isRead && brightness < brightnessMin && { brightnessMin }),
  };
};

/** Whether an image is blurred, overexposed or dark. */
export const isHardToSee = (
  { sharpness, overexposedShare, brightness }: ImageQuality,
  limits: DocumentPolicy["image"],
): boolean =>
  sharpness < limits.sharpnessMin ||
  overexposedShare > limits.overexposedShareMax ||
  brightness < limits.brightnessMin;

/**
 * Whether the document is cut, by a trusted outline, else by the place that Doc 9303 gives a clear MRZ on its
 * document. `unknown` without a trusted outline: a card that fills the frame has no borders to locate. An MRZ
 * that is far from every border proves nothing either.
 */
const isCut = (
  { card: { outsideShareMax } }: DocumentPolicy,
  card: CardSummary | undefined,
  mrz: MrzSummary | undefined,
): boolean | "unknown" => {
  if (isTrusted(card)) return card.outsideShare > outsideShareMax;
  return mrz?.clear === true && (mrz.margin ?? 0) < -outsideShareMax ? true : "unknown";
};

const aloneIn = (side: "front" | "back", others: number): Finding =>
  finding({
    name: `${side}-not-alone`,
    stage: "capture",
    code: 642,
    consequence: "resubmit",
    // One in four pairs of cards without portraits is detected, so an image without a detection proves
    // little.
    holds: others > 0,
    evidence: { others },
  });
