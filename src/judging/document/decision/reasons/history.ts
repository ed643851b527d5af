import type { ReasonCode } from "#contract/reason-code";
import type { DocumentPolicy } from "../policy.ts";
import {
  ask,
  fromImages,
  given,
  notGiven,
  type ReachingTest,
  type ReasonRow,
  withLists,
  withReference,
} from "./row.ts";

/** A test with a drawn passport that was sent before. */
const sentBefore = (title: string): ReachingTest => ({
  file: "src/judging/document/decision/history/velocity.engine.test.ts",
  title,
});

const untracked = (from: string): ReasonRow =>
  notGiven(
    "this service",
    from,
    "input",
    "devices and addresses come inside the token of a capture SDK, which this release keeps sealed and does not read",
  );

/** Reasons of the history checks. */
export const historyReasons = {
  105: notGiven(
    "a person",
    "several weak signs together",
    "check",
    "several weak signs are never added up: each counts alone",
  ),
  106: given(
    {
      from: "the document's number among those that the operator listed",
      decisions: [9102, 9121],
      when:
        "`idem document block` listed a document of this country and number. 9102 where the MRZ was accepted or two " +
        "sources have the number; 9121 where it may be misread",
      next: "9102: do not accept the document. 9121: compare the number with the image",
    },
    "`idem document block`, then the document",
    sentBefore(
      "is declined (106) for every spelling of its number, in its environment, until it is removed from the list",
    ),
  ),
  107: given(
    {
      from: "how often this number or this `merchantIdScanReference` came",
      decisions: [9121, 9102],
      when: "More attempts than `velocity.attemptsMax` of the policy within its `hours`; by default none are counted. 9102 where the policy sets it",
      next: ask,
    },
    "A policy with `velocity`, and the same document more often",
    sentBefore("is reported above the policy's number of attempts, until its hours are over (107)"),
  ),
  108: given(
    {
      from: "the portrait among the registered users",
      decisions: [9121],
      when: "`IDEM_DUPLICATES=flag`: the portrait is that of a registered user other than `merchantIdScanReference`",
      next: ask,
    },
    "Register a user, then send a document with the same face under another reference",
    withLists("sends a holder who is registered as another user to review (%s: %i)"),
  ),
  109: untracked("the device among those of other customers"),
  110: given(
    {
      from: "the document's number among approved ones",
      decisions: [9121],
      when: "`IDEM_DOCUMENT_NUMBER_DAYS` is set: a document of this number was approved for another `merchantIdScanReference`",
      next: ask,
    },
    "Send the same document under two references",
    withLists("sends a number of another customer's document to review (110)"),
  ),
  111: untracked("devices and addresses of one operation"),
  113: untracked("one device, background or face over many identities"),
  122: given(
    {
      from: "the registered users",
      decisions: [9102],
      when: "`reference: registeredUser` of the policy, and no user is registered under `merchantIdScanReference`",
      next: "Register the user first, then send the document again",
    },
    "A policy with `reference`, and a reference without a registered user",
    withReference,
  ),
  124: given(
    {
      from: "the portrait among the registered users",
      decisions: [9121],
      when: "`IDEM_DUPLICATES=refuse`: as 108, or the portrait has no face that could be searched",
      next: ask,
    },
    "As 108",
    withLists("sends a holder who is registered as another user to review (%s: %i)"),
  ),
  127: given(
    {
      from: "the portrait among the blocked faces",
      decisions: [9102, 9121],
      when:
        "The portrait matches a face of the operator's block list. 9102 above the score for refusals; 9121 between that and " +
        "the score for reviews, or where faces are blocked and the portrait has none that could be searched",
      next: `9102: do not accept the person. 9121: ${ask.toLowerCase()}`,
    },
    "`idem users block`, then a document with that face",
    withLists("declines a holder whose face is blocked (127)"),
  ),
  128: notGiven(
    "this service",
    "the registered user",
    "check",
    "only the numbers of a user's approved documents are kept, and a renewal changes them: another number does not mean another person",
  ),
} as const satisfies Partial<Record<ReasonCode, ReasonRow>>;

/** Reasons that depend on the count of attempts, under a policy. */
export const countedReasons = ({ resubmission: { attemptsMax } }: DocumentPolicy) =>
  ({
    537: atLast("portrait that was not found (643)", attemptsMax),
    539: given(
      {
        from: "the count of attempts",
        decisions: [9102],
        when: `Attempt ${attemptsMax} would be a resubmission. A failed analysis (648) is no attempt`,
        next: "Do not accept the document. The further codes state the faults",
      },
      `Send the same poor image ${attemptsMax} times, with the same \`scanReference\``,
      fromImages,
    ),
    540: given(
      {
        from: "the sources of the number, the data of the front, and the count of attempts",
        decisions: [9121, 9102],
        when:
          "9121: no clear MRZ was read, and only print or only a barcode has the number; or nothing that was read ties the data of " +
          "MRZ and barcode to the front: no two of number, names and birth date. 9102: further code beside 539, where " +
          `at attempt ${attemptsMax} the fault was an MRZ that could not be read (645)`,
        next: `9121: ${ask.toLowerCase()}. 9102: do not accept the document`,
      },
      "A card without an MRZ whose barcode is covered",
      fromImages,
    ),
  }) as const satisfies Partial<Record<ReasonCode, ReasonRow>>;

const atLast = (what: string, attemptsMax: number): ReasonRow =>
  given(
    {
      from: "the count of attempts",
      decisions: [9102],
      when: `Further code beside 539: at attempt ${attemptsMax} the fault was a ${what}`,
      next: "Do not accept the document",
    },
    "As 539",
    fromImages,
  );
