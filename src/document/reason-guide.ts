import type { ReasonCode } from "#contract/reason-code";
import type { DocumentPolicy } from "./policy.ts";

/** What an integrator must know of a reason that this release gives. */
export type ReasonGuide = {
  /** Codes of the decisions with which it can stand, the usual one first. */
  readonly decisions: readonly (9102 | 9103 | 9121)[];
  /** When it is given, with the threshold where there is one. */
  readonly when: string;
  readonly next: string;
};

const sendAgain = "Ask for a new picture";
const ask = "Let a person of yours look";
const percent = (share: number): string => `${Math.round(share * 100)} %`;

const pictures = ({ picture, card }: DocumentPolicy) =>
  ({
    204: {
      decisions: [9103],
      when:
        `The shorter side is under ${picture.shortSidePxMin} px, or the JPEG quality under ${picture.jpegQualityMin}. Where ` +
        `nothing could be read also: sharpness under ${picture.sharpnessMin}, over ${percent(picture.overexposedShareMax)} ` +
        `overexposed, or brightness under ${picture.brightnessMin} of 255`,
      next: `${sendAgain}: larger, sharp, in even light, without a messenger's compression`,
    },
    609: {
      decisions: [9103],
      when: "A two-sided document came without its back, or with the same file twice, and its data is not on the front",
      next: "Ask for the back",
    },
    614: cut("front", card.outsideShareMax),
    615: cut("back", card.outsideShareMax),
    642: {
      decisions: [9103],
      when: "The zones of front and back have different document numbers",
      next: "Ask for both sides of one document",
    },
    643: {
      decisions: [9103],
      when: "No portrait was found on the front",
      next: `${sendAgain} of the side with the portrait, uncovered`,
    },
    645: {
      decisions: [9103],
      when: "A passport or visa without a machine-readable zone that could be read, or a zone whose characters are unsure",
      next: `${sendAgain} with the lines at the bottom whole, sharp and without glare`,
    },
    647: {
      decisions: [9121, 9103],
      when: "9121: a card without a zone, of which this release has no model. 9103: no document is in the picture",
      next: `9121: ${ask.toLowerCase()}. 9103: ${sendAgain.toLowerCase()}`,
    },
  }) as const satisfies Partial<Record<ReasonCode, ReasonGuide>>;

const cut = (side: string, shareMax: number) =>
  ({
    decisions: [9103],
    when: `A corner of the ${side} lies outside the picture by more than ${percent(shareMax)} of its shorter side`,
    next: `${sendAgain} with the whole ${side} and some table around it`,
  }) as const;

const contents = {
  507: {
    decisions: [9121, 9102],
    when:
      "Check digits are wrong in a zone that is clearly read, dates are out of order, or the barcode says otherwise. One of " +
      "these is 9121, two of different sources 9102",
    next: `9121: ${ask.toLowerCase()}. 9102: do not accept the document`,
  },
  508: {
    decisions: [9121],
    when: "The document says of itself that it is a specimen (issuer UTO)",
    next: ask,
  },
  510: {
    decisions: [9102],
    when: "The operator's policy does not serve the declared country; by default every country is served",
    next: "Ask for a document that you accept",
  },
  511: {
    decisions: [9102],
    when: "The day of expiry is over everywhere on Earth, by a zone with right check digits or by two sources",
    next: "Ask for a valid document",
  },
  602: {
    decisions: [9103],
    when: "The zone tells another kind or another issuing country than `idType` and `country`",
    next: "Check what you declared; ask for the document that you declared",
  },
  620: {
    decisions: [9103],
    when: "Expired by one weaker source alone, such as a barcode",
    next: "Ask for a valid document, or for a sharper picture of this one",
  },
} as const satisfies Partial<Record<ReasonCode, ReasonGuide>>;

const known = {
  108: {
    decisions: [9121],
    when: "`IDEM_DUPLICATES=flag`: the portrait is that of a registered user other than `merchantIdScanReference`",
    next: ask,
  },
  110: {
    decisions: [9121],
    when: "`IDEM_DOCUMENT_NUMBER_DAYS` is set: a document of this number was approved for another `merchantIdScanReference`",
    next: ask,
  },
  124: {
    decisions: [9121],
    when: "`IDEM_DUPLICATES=refuse`: as 108, or the portrait shows no face that could be searched",
    next: ask,
  },
  127: {
    decisions: [9102, 9121],
    when:
      "The portrait is a face of the operator's block list. 9102 above the score for refusals; 9121 between that and the " +
      "one for reviews, or where faces are blocked and the portrait shows none that could be searched",
    next: `9102: do not accept the person. 9121: ${ask.toLowerCase()}`,
  },
} as const satisfies Partial<Record<ReasonCode, ReasonGuide>>;

const fieldNames = {
  625: "surname",
  627: "birth date",
  629: "expiry date",
  630: "sex",
  631: "document number",
  633: "nationality",
} as const satisfies Partial<Record<ReasonCode, string>>;

const ages = { 530: 13, 531: 14, 532: 16, 533: 18, 534: 20, 535: 21, 536: 25 } as const;

/** Every reason that this release gives, by its code. */
export const reasonGuides = (policy: DocumentPolicy): Partial<Record<ReasonCode, ReasonGuide>> => ({
  ...pictures(policy),
  ...contents,
  ...known,
  ...Object.fromEntries(
    Object.entries(fieldNames).map(([code, name]) => [
      code,
      {
        decisions: [9103],
        when: `The zone was read, but its ${name} was not, although its format carries it`,
        next: `${sendAgain} with the zone whole and without glare`,
      },
    ]),
  ),
  ...Object.fromEntries(
    Object.entries(ages).map(([code, years]) => [
      code,
      {
        decisions: [9102],
        when: `The holder is under ${years}, where the operator's policy asks for that age; by default none is asked`,
        next: "The person is too young for you",
      },
    ]),
  ),
  648: {
    decisions: [9103],
    when: "The analysis failed three times, or a picture could not be read any more; `status` is FAILED",
    next: "Send the same pictures again as a new validation",
  },
});
