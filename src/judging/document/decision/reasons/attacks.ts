import type { ReasonCode } from "#contract/reason-code";
import type { DocumentPolicy } from "../policy.ts";
import { ask, fromImages, given, notGiven, type ReasonRow, sendAgain } from "./row.ts";

/** Copies and screens. */
const recaptureReasons = ({ attacks }: DocumentPolicy) =>
  ({
    504: given(
      {
        from: "regular patterns finer than print",
        decisions: [9121],
        when: `Peaks of ${attacks.patternPeaks.strong} in the spectrum; ${attacks.patternPeaks.weak} is 636`,
        next: ask,
      },
      "A card shown on a screen, so near that the image shows its pixels",
      fromImages,
    ),
    505: given(
      {
        from: "the colour of the card",
        decisions: [9121],
        when: `The second axis of its colour is under ${attacks.greyCopy.colour?.strong}; under ${attacks.greyCopy.colour?.weak} it is 637`,
        next: ask,
      },
      "A black-and-white copy of a card",
      fromImages,
    ),
    636: given(
      {
        from: "regular patterns finer than print",
        decisions: [9103],
        when: `Peaks of ${attacks.patternPeaks.weak} in the spectrum`,
        next: `${sendAgain} of the document itself, from another distance`,
      },
      "As 504, farther away",
      fromImages,
    ),
    637: given(
      {
        from: "the colour of the card or around its portrait",
        decisions: [9103],
        when:
          `The second axis of its colour is under ${attacks.greyCopy.colour?.weak}; where genuine documents of the type are ` +
          `pale, under ${attacks.greyCopy.pale?.weak}, and never 505`,
        next: `${sendAgain} of the document itself, in daylight`,
      },
      "As 505, under a lamp that gives the copy some colour",
      fromImages,
    ),
  }) as const satisfies Partial<Record<ReasonCode, ReasonRow>>;

/** Altered documents. */
const forgeryReasons = ({ attacks }: DocumentPolicy) =>
  ({
    102: given(
      {
        from: "the ink of the printed lines",
        decisions: [9121],
        when: `One line is darker than the other dark lines by ${attacks.darkestLine.strong} deviations`,
        next: ask,
      },
      "A card with one value painted over and written again in black",
      fromImages,
    ),
    506: given(
      {
        from: "noise, compression and fine detail of the portrait against the rest, and a second portrait",
        decisions: [9121],
        when: "One of them differs strongly; a resized file shows fewer differences",
        next: ask,
      },
      "An image file with another portrait pasted in",
      fromImages,
    ),
  }) as const satisfies Partial<Record<ReasonCode, ReasonRow>>;

/** Reasons of several traces together. */
const joinedReasons = {
  101: given(
    {
      from: "all traces together: weak ones, nearly found ones, and a band of one colour around the card",
      decisions: [9121],
      when: "No single one is certain, but together they are doubtful",
      next: ask,
    },
    "An uncut copy on a white sheet, with very little colour",
    fromImages,
  ),
  501: given(
    {
      from: "all traces and contradictions together",
      decisions: [9121],
      when: "At least two different ones, and together they make a spoof",
      next: ask,
    },
    "As 503",
    fromImages,
  ),
  503: given(
    {
      from: "traces of a copy and of a screen at once",
      decisions: [9121],
      when: "Both were found",
      next: ask,
    },
    "A grey copy, photographed from a screen",
    fromImages,
  ),
  526: notGiven(
    "a provider",
    "the capture SDK",
    "input",
    "only the device can detect a virtual camera, and no request carries the SDK's result",
  ),
  549: notGiven("this service", "the chip of the document", "input", "no request carries the data of a chip"),
} as const satisfies Partial<Record<ReasonCode, ReasonRow>>;

/** Copies, screens and forgeries. Their thresholds: `attacks` of the policy. */
export const attackReasons = (policy: DocumentPolicy) => ({
  ...recaptureReasons(policy),
  ...forgeryReasons(policy),
  ...joinedReasons,
});
