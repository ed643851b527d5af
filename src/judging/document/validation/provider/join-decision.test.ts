import { expect, it } from "vitest";
import { mergeSources, mrzOf, now, passportLines, readingOf, sideOf } from "#support/document/reading";
import type { DocumentDecision } from "../../decision/judge.ts";
import { defaultDocumentPolicy } from "../../decision/policy.ts";
import type { ProviderDecision } from "./document-provider.ts";
import { joinDecisions } from "./join-decision.ts";
import { agreeingFields } from "./reported-values.ts";

const nothingOwn: DocumentDecision = {
  code: 9001,
  status: "Approved",
  reason: null,
  reasonCode: null,
  others: [],
};
const listed: DocumentDecision = {
  code: 9102,
  status: "Declined",
  reason: "Known fraud",
  reasonCode: 106,
  others: [],
};
const doubted: DocumentDecision = { ...listed, code: 9121, status: "Review", reasonCode: 126 };

const reportedOf = (
  status: ProviderDecision["status"],
  reasonCode: number | null = null,
): ProviderDecision => ({
  status,
  reason: reasonCode === null ? null : "text of the provider",
  reasonCode,
  document: { type: "PASSPORT", country: "CHL", number: "F12345678", issued: null, expires: null },
  person: {
    firstName: null,
    lastName: "OTHER",
    nationality: null,
    sex: null,
    dateOfBirth: "1990-01-01",
    yearOfBirth: null,
  },
});

it.each([
  ["an approval stands", reportedOf("Approved"), nothingOwn, 1, ["Approved", null, []]],
  [
    "an approval has no reason, even if the provider reports one",
    reportedOf("Approved", 204),
    nothingOwn,
    1,
    ["Approved", null, []],
  ],
  ["a list declines an approved document", reportedOf("Approved"), listed, 1, ["Declined", 106, []]],
  ["a doubt turns an approval into a review", reportedOf("Approved"), doubted, 1, ["Review", 126, []]],
  ["a list declines a document in review", reportedOf("Review", 502), listed, 1, ["Declined", 106, [502]]],
  ["a doubt does not change a review", reportedOf("Review", 502), doubted, 1, ["Review", 502, [126]]],
  ["a decline stands", reportedOf("Declined", 4711), doubted, 1, ["Declined", 4711, [126]]],
  ["better images are requested", reportedOf("Resubmission", 204), listed, 9, ["Resubmission", 204, [106]]],
  [
    "better images are not requested after the last attempt",
    reportedOf("Resubmission", 204),
    nothingOwn,
    10,
    ["Declined", 539, [204]],
  ],
] as const)("%s", (_, reported, own, attempt, expected) => {
  const { status, reason, reasonCode, others } = joinDecisions(reported, own, defaultDocumentPolicy, attempt);
  expect([status, reasonCode, others]).toEqual(expected);
  expect(reason === null).toBe(reasonCode === null);
});

it("uses the reason text of the interface if it has the code, else the text of the provider", () => {
  const reasonOf = (code: number) =>
    joinDecisions(reportedOf("Declined", code), nothingOwn, defaultDocumentPolicy, 1).reason;
  expect([reasonOf(102), reasonOf(4711)]).toEqual(["Suspected tampering", "text of the provider"]);
});

it("keeps the fields with the same value from this service and the provider, and no others", () => {
  const fields = mergeSources(readingOf(sideOf({ mrz: mrzOf(passportLines) })), now);
  const { values } = agreeingFields(fields, reportedOf("Approved"));
  expect(Object.keys(values).toSorted()).toEqual(["dateOfBirth", "documentNumber", "issuer"]);
});
