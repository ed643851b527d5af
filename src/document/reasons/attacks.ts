import type { ReasonCode } from "#contract/reason-code";
import type { DocumentPolicy } from "../policy.ts";
import { ask, fromPictures, given, notGiven, type ReasonRow, sendAgain } from "./row.ts";

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
      "A card shown on a screen, from near enough that its pixels can be seen in the picture",
      fromPictures,
    ),
    505: given(
      {
        from: "the colour of the card",
        decisions: [9121],
        when: `The second axis of its colour is under ${attacks.greyCopy.colour?.strong}; under ${attacks.greyCopy.colour?.weak} it is 637`,
        next: ask,
      },
      "A black-and-white copy of a card",
      fromPictures,
    ),
    636: given(
      {
        from: "regular patterns finer than print",
        decisions: [9103],
        when: `Peaks of ${attacks.patternPeaks.weak} in the spectrum`,
        next: `${sendAgain} of the document itself, from another distance`,
      },
      "As 504, farther away",
      fromPictures,
    ),
    637: given(
      {
        from: "the colour of the card or around its portrait",
        decisions: [9103],
        when: `The second axis of its colour is under ${attacks.greyCopy.colour?.weak}`,
        next: `${sendAgain} of the document itself, in daylight`,
      },
      "As 505, under a lamp that gives the copy some colour",
      fromPictures,
    ),
  }) as const satisfies Partial<Record<ReasonCode, ReasonRow>>;

/** Altered documents. */
const forgeryReasons = ({ attacks }: DocumentPolicy) =>
  ({
    102: given(
      {
        from: "the ink of the printed lines",
        decisions: [9121],
        when: `One line is darker than all others by ${attacks.darkestLine.strong} deviations`,
        next: ask,
      },
      "A card of which one value was painted over and written again in black",
      fromPictures,
    ),
    506: given(
      {
        from: "noise and compression of the portrait against the rest",
        decisions: [9121],
        when: "They differ much; a file that was resized shows nothing",
        next: ask,
      },
      "A picture in whose file another portrait was laid",
      fromPictures,
    ),
  }) as const satisfies Partial<Record<ReasonCode, ReasonRow>>;

/** What several traces say together. */
const joinedReasons = {
  101: given(
    {
      from: "weak traces of a recapture, and a band of one colour around the card",
      decisions: [9121],
      when: "Neither a copy nor a screen for sure, but together doubtful",
      next: ask,
    },
    "An uncut copy on a white sheet, in hardly any colour",
    fromPictures,
  ),
  501: given(
    {
      from: "all traces and contradictions together",
      decisions: [9121],
      when: "They make a spoof together, two different ones at least",
      next: ask,
    },
    "As 503",
    fromPictures,
  ),
  503: given(
    {
      from: "traces of a copy and of a screen at once",
      decisions: [9121],
      when: "Both were found",
      next: ask,
    },
    "A grey copy, photographed from a screen",
    fromPictures,
  ),
  526: notGiven(
    "a provider",
    "the capture SDK",
    "input",
    "a virtual camera is seen on the device alone, and no request carries what the SDK saw",
  ),
  549: notGiven("this service", "the chip of the document", "input", "no request carries what a chip says"),
} as const satisfies Partial<Record<ReasonCode, ReasonRow>>;

/** Copies, screens and forgeries. Their thresholds: `attacks` of the policy. */
export const attackReasons = (policy: DocumentPolicy) => ({
  ...recaptureReasons(policy),
  ...forgeryReasons(policy),
  ...joinedReasons,
});
