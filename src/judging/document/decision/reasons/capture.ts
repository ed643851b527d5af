import type { ReasonCode } from "#contract/reason-code";
import type { DocumentPolicy } from "../policy.ts";
import { ask, fromImages, given, notGiven, percent, type ReasonRow, sendAgain } from "./row.ts";

/** Faults of the images that the interface or the policy limits. */
export const imageReasons = ({ image, card }: DocumentPolicy) =>
  ({
    204: given(
      {
        from: "size, compression, sharpness and exposure of the image",
        decisions: [9103],
        when:
          `The shorter side is under ${image.shortSidePxMin} px, or the JPEG quality under ${image.jpegQualityMin}. Where ` +
          `nothing could be read also: sharpness under ${image.sharpnessMin}, over ${percent(image.overexposedShareMax)} ` +
          `overexposed, or brightness under ${image.brightnessMin} of 255`,
        next: `${sendAgain}: larger, sharp, in even light, without a messenger's compression`,
      },
      `An image of less than ${image.shortSidePxMin} px`,
      fromImages,
    ),
    614: cut("front", card.outsideShareMax, fromImages),
    615: cut("back", card.outsideShareMax, fromImages),
  }) as const satisfies Partial<Record<ReasonCode, ReasonRow>>;

const cut = (side: string, shareMax: number, test: Parameters<typeof given>[2]): ReasonRow =>
  given(
    {
      from: "the card's outline, and the place of the MRZ on it",
      decisions: [9103],
      when:
        `A corner of the ${side} is outside the image by more than ${percent(shareMax)} of its shorter side, or its ` +
        `MRZ is so near to the border that more than this share of the document's longer side must be missing (ICAO Doc ` +
        "9303 gives its place on a passport; a missing top of more than 15 mm is detected too)",
      next: `${sendAgain} with the whole ${side} and some table around it`,
    },
    `An image that cuts a corner of the ${side}`,
    test,
  );

/** Reasons of missing content in the images. */
export const captureReasons = {
  203: notGiven("this service", "the card's outline", "check", "reported for its side: 614 or 615"),
  205: notGiven("a person", "the image", "check", "no detector of damage is good enough for a resubmission"),
  619: given(
    {
      from: "labels of the document's model and the text beside them; the text of the front",
      decisions: [9103],
      when:
        "The labels of two or more fields that the model always prints were read, and no source has their values; or the MRZ or " +
        "the barcode is on the back, and of the front no printed field and fewer than six lines were read. At the last attempt the second " +
        "is 9121 with 540",
      next: `${sendAgain} on which nothing covers the print, without glare`,
    },
    "A card with a finger over the names and the dates",
    fromImages,
  ),
  621: notGiven(
    "a person",
    "the image",
    "check",
    "no detector of stamps, cut corners and holes is good enough",
  ),
  642: given(
    {
      from: "MRZs and headings of both sides, cards and portraits in one image",
      decisions: [9103],
      when: "The MRZs of front and back have different document numbers, the sides name different countries, or an image shows two separate cards, or two portraits of one size",
      next: "Ask for both sides of one document, each in its own image",
    },
    "The front of one card and the back of another",
    fromImages,
  ),
  643: given(
    {
      from: "faces on the front",
      decisions: [9103],
      when: "No portrait was found on the front, or a ghost alone: a face too small for the portrait of a card",
      next: `${sendAgain} of the side with the portrait, uncovered`,
    },
    "Cover the portrait",
    fromImages,
  ),
  645: given(
    {
      from: "the MRZ",
      decisions: [9103],
      when:
        "A passport, a visa, or a card whose model has an MRZ, without one that could be read, or an MRZ whose characters " +
        "are unclear",
      next: `${sendAgain} with the lines at the bottom whole, sharp and without glare`,
    },
    "A passport whose lines at the bottom are covered",
    fromImages,
  ),
  647: given(
    {
      from: "outline, faces and data of the images",
      decisions: [9121, 9103],
      when: "9121: a card without an MRZ and without a known model. 9103: the images have neither data nor a face beside print, and no outline but of a sheet with the text of a letter or with none: no document",
      next: `9121: ${ask.toLowerCase()}. 9103: ${sendAgain.toLowerCase()}`,
    },
    "An image of an empty table, of an invoice, or of a face alone",
    fromImages,
  ),
} as const satisfies Partial<Record<ReasonCode, ReasonRow>>;
