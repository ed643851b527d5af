import type { ReasonCode } from "#contract/reason-code";
import type { DocumentPolicy } from "../policy.ts";
import { ask, given, judged, notGiven, type ReachingTest, type ReasonRow } from "./row.ts";

const asked = (title: string): ReachingTest => ({ file: "src/document/findings/history.test.ts", title });

const untracked = (from: string): ReasonRow =>
  notGiven(
    "this service",
    from,
    "input",
    "devices and addresses come with tracking, which this release does not keep",
  );

/** What was known before. */
export const historyReasons = {
  105: notGiven(
    "a person",
    "several weak signs together",
    "check",
    "several weak signs are never added up here: each stands for itself",
  ),
  106: given(
    {
      from: "the document's number among those that the operator listed",
      decisions: [9102, 9121],
      when:
        "`idem document block` listed a document of this country and number. 9102 where the zone was accepted or two " +
        "sources say the number; 9121 where it may be misread",
      next: "9102: do not accept the document. 9121: compare the number with the picture",
    },
    "`idem document block`, then the document",
    asked("%s is %4$s"),
  ),
  107: given(
    {
      from: "how often this number or this `merchantIdScanReference` came",
      decisions: [9121, 9102],
      when: "More attempts than `velocity.attemptsMax` of the policy within its `hours`; by default none are counted. 9102 where the policy says so",
      next: ask,
    },
    "A policy with `velocity`, and the same document more often",
    asked("%s is %4$s"),
  ),
  108: given(
    {
      from: "the portrait among the registered users",
      decisions: [9121],
      when: "`IDEM_DUPLICATES=flag`: the portrait is that of a registered user other than `merchantIdScanReference`",
      next: ask,
    },
    "Register a user, then send a document with the same face under another reference",
    asked("face is registered for another user (%s, forbidden: %s)"),
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
    asked("%s is %4$s"),
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
    "A policy with `reference`, and a reference under which nobody is registered",
    {
      file: "src/document/findings/reference.test.ts",
      title: "a portrait that %s of the registered user ends %4$i with %5$s",
    },
  ),
  124: given(
    {
      from: "the portrait among the registered users",
      decisions: [9121],
      when: "`IDEM_DUPLICATES=refuse`: as 108, or the portrait shows no face that could be searched",
      next: ask,
    },
    "As 108",
    asked("face is registered for another user (%s, forbidden: %s)"),
  ),
  127: given(
    {
      from: "the portrait among the blocked faces",
      decisions: [9102, 9121],
      when:
        "The portrait is a face of the operator's block list. 9102 above the score for refusals; 9121 between that and the " +
        "one for reviews, or where faces are blocked and the portrait shows none that could be searched",
      next: `9102: do not accept the person. 9121: ${ask.toLowerCase()}`,
    },
    "`idem people block`, then a document with that face",
    asked("%s is %4$s"),
  ),
  128: notGiven(
    "this service",
    "the registered user",
    "check",
    "of a user's approved documents only the numbers are kept, and a renewal changes them: another number is no other person",
  ),
} as const satisfies Partial<Record<ReasonCode, ReasonRow>>;

/** What counts attempts, under a policy. */
export const countedReasons = ({ resubmission: { attemptsMax } }: DocumentPolicy) =>
  ({
    537: atLast("portrait that was not found (643)", attemptsMax),
    539: given(
      {
        from: "the count of attempts",
        decisions: [9102],
        when: `Attempt ${attemptsMax} would be asked again. A failed analysis (648) is no attempt`,
        next: "Do not accept the document. Look at what was wrong: the further codes say it",
      },
      `Send the same bad picture ${attemptsMax} times, with the same \`scanReference\``,
      {
        file: "src/document/validation/resubmission.test.ts",
        title: "is declined at the tenth attempt (539)",
      },
    ),
    540: given(
      {
        from: "the sources of the number, and the count of attempts",
        decisions: [9121, 9102],
        when:
          "9121: no zone vouches for the number, and print or a symbol alone tells it. 9102: further code beside 539, where at " +
          `attempt ${attemptsMax} the fault was a zone that could not be read (645)`,
        next: `9121: ${ask.toLowerCase()}. 9102: do not accept the document`,
      },
      "A card without a zone whose symbol is covered",
      {
        file: "src/document/findings/national.test.ts",
        title: "without a zone is for a person where print alone tells its number (540)",
      },
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
    judged(
      "declines the last attempt that it would ask again (539), and keeps what was wrong for the operator",
    ),
  );
