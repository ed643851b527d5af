import { describe, expect, it } from "vitest";
import { caseOf, mrzOf, passportLines, readingOf, sideOf } from "#support/document/reading";
import type { MrzSummary } from "../../reading/reading.ts";
import type { DocumentHistory } from "../history/history.ts";
import { judgeDocument } from "../judge.ts";
import type { DocumentPolicy } from "../policy.ts";
import { findAll } from "./all-rules.ts";

/** A document that is approved without a history. */
const velocity = { attemptsMax: 3, hours: 24 };

const decide = (
  history: DocumentHistory,
  change: Partial<DocumentPolicy> = {},
  mrz: Partial<MrzSummary> = {},
) => {
  const policy = { velocity, ...change };
  const document = {
    ...caseOf(readingOf(sideOf({ mrz: mrzOf(passportLines, mrz) })), undefined, policy),
    history,
  };
  const { status, reasonCode } = judgeDocument(findAll(document), document.policy);
  return [status, reasonCode];
};

describe("a document whose", () => {
  it.each([
    ["history was not checked", {}, "Approved", null],
    ["face is not blocked", { blockedFace: "none" }, "Approved", null],
    ["face is surely blocked", { blockedFace: "sure" }, "Declined", 127],
    ["face may be blocked", { blockedFace: "possible" }, "Review", 127],
    ["face could not be searched among the blocked", { blockedFace: "unknown" }, "Review", 127],
    ["number the operator listed", { listed: ["documentNumber"] }, "Declined", 106],
    ["number is not listed", { listed: [] }, "Approved", null],
    ["attempts are more than the policy's", { attempts: 4 }, "Review", 107],
    ["attempts are as many as the policy's", { attempts: 3 }, "Approved", null],
    ["number is another customer's", { numberOfAnother: true }, "Review", 110],
    ["number is the customer's own", { numberOfAnother: false }, "Approved", null],
    ["number is not sure", { numberOfAnother: "unknown" }, "Approved", null],
  ] as const)("%s is %4$s", (_, history, status, code) => {
    expect(decide(history)).toStrictEqual([status, code]);
  });

  it.each([
    ["sure", true, "Review", 124],
    ["possible", true, "Review", 124],
    ["unknown", true, "Review", 124],
    ["none", true, "Approved", null],
    ["sure", false, "Review", 108],
    ["unknown", false, "Approved", null],
  ] as const)(
    "face is registered for another user (%s, forbidden: %s)",
    (match, isForbidden, ...decision) => {
      expect(decide({ registeredFace: { match, isForbidden } })).toStrictEqual(decision);
    },
  );

  it("number the operator listed goes to review where the MRZ is clear and not accepted", () => {
    const clear = { accepted: false, clear: true };
    expect(decide({ listed: ["documentNumber"] }, {}, clear)).toStrictEqual(["Review", 106]);
    expect(decide({ listed: ["personalNumber"] })).toStrictEqual(["Review", 106]);
  });

  it("face is registered already is declined where the operator's policy says so", () => {
    const consequences = {
      "portrait-registered-already": "decline",
      "number-of-another-customer": "decline",
    } as const;
    expect(decide({ registeredFace: { match: "sure", isForbidden: true } }, { consequences })).toStrictEqual([
      "Declined",
      124,
    ]);
    expect(decide({ numberOfAnother: true }, { consequences })).toStrictEqual(["Declined", 110]);
  });
});
