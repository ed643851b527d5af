import { Compile } from "typebox/compile";
import { expect, it } from "vitest";
import { validationData } from "#contract/event-document";
import { submittedRecord } from "../decision/verification-record.ts";
import { makeDescribeValidation, wireRecord } from "./wire-record.ts";

const declared = { country: "CHL", type: "PASSPORT" } as const;
const found = (reasonCode: number | null, otherReasonCodes: readonly number[] = []) => ({
  id: "1",
  status: "DONE" as const,
  acceptedAt: new Date("2026-11-23T00:00:00Z"),
  merchantReference: null,
  attempt: 1,
  record: {
    ...submittedRecord(declared),
    status: "Resubmission" as const,
    reason: "As it was stored",
    reasonCode,
    otherReasonCodes: [...otherReasonCodes],
  },
});

it("has a code of the interface as reason, with its text, and the exact one beside it", () => {
  expect(wireRecord(found(204, [645]), "interface").verification).toMatchObject({
    reasonCode: 619,
    reason: "Data not visible",
    additionalReasonCodes: [204, 645],
  });
  expect(wireRecord(found(501, [102, 507]), "interface").verification).toMatchObject({
    reasonCode: 102,
    additionalReasonCodes: [501, 507],
  });
});

it("leaves a reason that the interface has, or that only a provider has", () => {
  for (const code of [507, 999]) {
    const { verification } = wireRecord(found(code), "interface");
    expect(verification).toMatchObject({ reasonCode: code, reason: "As it was stored" });
    expect(verification).not.toHaveProperty("additionalReasonCodes");
  }
  expect(wireRecord(found(null), "interface").verification).toMatchObject({ reasonCode: null });
});

it("has the exact code in front where the operator sets it so", () => {
  expect(wireRecord(found(204, [645]), "extended").verification).toMatchObject({
    reasonCode: 204,
    reason: "As it was stored",
    additionalReasonCodes: [645],
  });
});

it("is the validation of id_validated, with a version and the codes that data answers", () => {
  for (const codes of ["interface", "extended"] as const) {
    const validation = makeDescribeValidation(codes)(found(204, [645]));
    expect(Compile(validationData).Parse(validation)).toEqual(validation);
    expect(validation).toEqual({ version: 1, ...wireRecord(found(204, [645]), codes).verification });
  }
});
