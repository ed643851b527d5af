import { expect, it } from "vitest";
import type { DocumentDecision } from "../judge.ts";
import { defaultDocumentPolicy } from "../policy.ts";
import { collectFields, now, passportLines, readingOf, sideOf, zoneOf } from "../testing/reading.ts";
import { joinDecisions } from "./join-decision.ts";
import type { ToldDecision } from "./morphology-provider.ts";
import { agreeingFields } from "./told-values.ts";

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

const toldOf = (status: ToldDecision["status"], reasonCode: number | null = null): ToldDecision => ({
  status,
  reason: reasonCode === null ? null : "in the provider's words",
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
  ["an approval stands", toldOf("Approved"), nothingOwn, 1, ["Approved", null, []]],
  [
    "an approval has no reason, whatever is told",
    toldOf("Approved", 204),
    nothingOwn,
    1,
    ["Approved", null, []],
  ],
  ["a list declines what was approved", toldOf("Approved"), listed, 1, ["Declined", 106, []]],
  ["a doubt holds an approval up", toldOf("Approved"), doubted, 1, ["Review", 126, []]],
  ["a list declines what was for a person", toldOf("Review", 502), listed, 1, ["Declined", 106, [502]]],
  ["a doubt leaves a review as it is", toldOf("Review", 502), doubted, 1, ["Review", 502, [126]]],
  ["a decline stands", toldOf("Declined", 4711), doubted, 1, ["Declined", 4711, [126]]],
  ["better pictures are asked for", toldOf("Resubmission", 204), listed, 9, ["Resubmission", 204, [106]]],
  ["but not for ever", toldOf("Resubmission", 204), nothingOwn, 10, ["Declined", 539, [204]]],
] as const)("%s", (_, told, own, attempt, expected) => {
  const { status, reason, reasonCode, others } = joinDecisions(told, own, defaultDocumentPolicy, attempt);
  expect([status, reasonCode, others]).toEqual(expected);
  expect(reason === null).toBe(reasonCode === null);
});

it("tells a code of the interface in its words, another in the provider's", () => {
  const reasonOf = (code: number) =>
    joinDecisions(toldOf("Declined", code), nothingOwn, defaultDocumentPolicy, 1).reason;
  expect([reasonOf(102), reasonOf(4711)]).toEqual(["Suspected tampering", "in the provider's words"]);
});

it("is sure of what this service read as the provider did, and of nothing else", () => {
  const fields = collectFields(readingOf(sideOf({ mrz: zoneOf(passportLines) })), now);
  const { values } = agreeingFields(fields, toldOf("Approved"));
  expect(Object.keys(values).toSorted()).toEqual(["dateOfBirth", "documentNumber", "issuer"]);
});
