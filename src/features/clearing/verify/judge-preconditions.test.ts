import { describe, expect, it } from "vitest";
import { type VerificationCode, verificationCode } from "#contract/verification-code";
import { judgeOperation, judgePreconditions } from "./judge-preconditions.ts";

const good = { endpoint: "identity", result: { facial: 3, liveness: 3 } };
const approved = verificationCode.Approved;

describe("the preconditions of a verification token", () => {
  it("hold for a positive identity call with a living person and an approved document", () => {
    expect(judgePreconditions(good, approved)).toBeUndefined();
  });

  it.each([
    ["another call", { endpoint: "authenticateFacial" }, approved, "clearing_not_identity"],
    ["faces that differ", { result: { facial: 1, liveness: 3 } }, approved, "clearing_face_not_positive"],
    [
      "an uncertain comparison",
      { result: { facial: 2, liveness: 3 } },
      approved,
      "clearing_face_not_positive",
    ],
    ["a missing comparison", { result: { liveness: 3 } }, approved, "clearing_face_not_positive"],
    [
      "a text in place of a number",
      { result: { facial: "3", liveness: 3 } },
      approved,
      "clearing_face_not_positive",
    ],
    ["no result at all", { result: null }, approved, "clearing_face_not_positive"],
    ["no living person", { result: { facial: 3, liveness: 17 } }, approved, "clearing_not_live"],
    ["an uncertain liveness", { result: { facial: 3, liveness: 2 } }, approved, "clearing_not_live"],
    ["an undecided document", {}, verificationCode.Submitted, "clearing_not_approved"],
    ["a declined document", {}, verificationCode.Declined, "clearing_not_approved"],
    ["a document that waits for images", {}, verificationCode.Resubmission, "clearing_not_approved"],
    ["a document in review", {}, verificationCode.Review, "clearing_not_approved"],
    ["an abandoned document", {}, verificationCode["Expired/Abandoned"], "clearing_not_approved"],
  ] satisfies readonly (readonly [string, object, VerificationCode, string])[])(
    "refuse %s",
    (_, change, code, failure) => {
      expect(judgePreconditions({ ...good, ...change }, code)?.code).toBe(failure);
    },
  );

  it("name what was found in the facts", () => {
    const refused = judgePreconditions({ ...good, result: { facial: 1, liveness: 17 } }, approved);
    expect(refused?.facts).toEqual({ facialAuthenticationResult: 1 });
  });
});

describe("two calls", () => {
  it("are of one operation where both name it, or where neither names one", () => {
    expect(judgeOperation("one", "one")).toBeUndefined();
    expect(judgeOperation(undefined, undefined)).toBeUndefined();
  });

  it.each([
    ["one", "two", "they name two operations"],
    ["one", undefined, "only the transaction names an operation"],
    [undefined, "one", "only the document validation names an operation"],
  ])("of %s and %s are refused", (ofIdentity, ofDocument, reason) => {
    const refused = judgeOperation(ofIdentity, ofDocument);
    expect(refused).toMatchObject({ code: "clearing_other_operation", facts: { reason } });
  });
});
