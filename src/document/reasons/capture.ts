import type { ReasonCode } from "#contract/reason-code";
import type { DocumentPolicy } from "../policy.ts";
import { ask, fromPictures, given, notGiven, percent, type ReasonRow, sendAgain } from "./row.ts";

/** Faults of the pictures that the interface or the policy bounds. */
export const pictureReasons = ({ picture, card }: DocumentPolicy) =>
  ({
    204: given(
      {
        from: "size, compression, sharpness and exposure of the picture",
        decisions: [9103],
        when:
          `The shorter side is under ${picture.shortSidePxMin} px, or the JPEG quality under ${picture.jpegQualityMin}. Where ` +
          `nothing could be read also: sharpness under ${picture.sharpnessMin}, over ${percent(picture.overexposedShareMax)} ` +
          `overexposed, or brightness under ${picture.brightnessMin} of 255`,
        next: `${sendAgain}: larger, sharp, in even light, without a messenger's compression`,
      },
      `A picture of less than ${picture.shortSidePxMin} px`,
      fromPictures,
    ),
    614: cut("front", card.outsideShareMax, fromPictures),
    615: cut("back", card.outsideShareMax, fromPictures),
  }) as const satisfies Partial<Record<ReasonCode, ReasonRow>>;

const cut = (side: string, shareMax: number, test: Parameters<typeof given>[2]): ReasonRow =>
  given(
    {
      from: "the card's outline, and the zone's place on it",
      decisions: [9103],
      when:
        `A corner of the ${side} lies outside the picture by more than ${percent(shareMax)} of its shorter side, or its ` +
        `machine-readable zone lies so near to the border that as much of the document's longer side must be missing (where it ` +
        "stands on a passport, ICAO Doc 9303 says; a head of more than 15 mm that is missing shows as well)",
      next: `${sendAgain} with the whole ${side} and some table around it`,
    },
    `A picture that cuts a corner of the ${side}`,
    test,
  );

/** What could not be found on the pictures. */
export const captureReasons = {
  203: notGiven("this service", "the card's outline", "check", "said of the side that it is: 614 or 615"),
  205: notGiven(
    "a person",
    "the picture",
    "check",
    "no detector of damage is good enough to ask anybody again",
  ),
  619: given(
    {
      from: "labels of the document's model and what is printed at them",
      decisions: [9103],
      when: "The labels of two or more fields that the model always prints were read, and no value at them or elsewhere",
      next: `${sendAgain} on which nothing covers what is printed, without glare`,
    },
    "A card with a finger over the names and the dates",
    fromPictures,
  ),
  621: notGiven(
    "a person",
    "the picture",
    "check",
    "no detector of stamps, cut corners and holes is good enough",
  ),
  642: given(
    {
      from: "zones and headings of both sides, cards and portraits in one picture",
      decisions: [9103],
      when: "The zones of front and back have different document numbers, the sides name different countries, or a picture shows two cards apart from each other, or two portraits of one size",
      next: "Ask for both sides of one document, each in a picture of its own",
    },
    "The front of one card and the back of another",
    fromPictures,
  ),
  643: given(
    {
      from: "faces on the front",
      decisions: [9103],
      when: "No portrait was found on the front",
      next: `${sendAgain} of the side with the portrait, uncovered`,
    },
    "Cover the portrait",
    fromPictures,
  ),
  645: given(
    {
      from: "the machine-readable zone",
      decisions: [9103],
      when:
        "A passport, visa or card whose model has a machine-readable zone, without one that could be read, or a zone whose " +
        "characters are unsure",
      next: `${sendAgain} with the lines at the bottom whole, sharp and without glare`,
    },
    "A passport whose lines at the bottom are covered",
    fromPictures,
  ),
  647: given(
    {
      from: "outline, faces and data of the pictures",
      decisions: [9121, 9103],
      when: "9121: a card without a zone, that no model tells. 9103: neither an outline nor data nor a face beside print is in the pictures: no document",
      next: `9121: ${ask.toLowerCase()}. 9103: ${sendAgain.toLowerCase()}`,
    },
    "A picture of an empty table, or of a face alone",
    fromPictures,
  ),
} as const satisfies Partial<Record<ReasonCode, ReasonRow>>;
