import { expect, it } from "vitest";
import { interfaceReasonOf, interfaceReasons } from "./interface-reason.ts";
import { isReasonCode, reasons } from "./reason-code.ts";

const codes = Object.keys(reasons).map(Number);

it("leaves the 91 codes of the interface, and replaces every other one", () => {
  const sent = new Set(codes.map(interfaceReasonOf));
  expect(sent.size).toBe(91);
  for (const code of Object.keys(interfaceReasons).map(Number)) expect(sent).not.toContain(code);
  expect([204, 501, 506, 124, 107, 507].map(interfaceReasonOf)).toEqual([619, 102, 102, 108, 105, 507]);
});

it("replaces a code by one of the same group: new images, or not", () => {
  const isResubmission = (code: number): boolean => "26".includes(String(code)[0]!);
  for (const [code, other] of Object.entries(interfaceReasons)) {
    expect(isResubmission(other), code).toBe(isResubmission(Number(code)));
    expect(isReasonCode(other)).toBe(true);
  }
});

it("keeps a code that only an external provider has", () => {
  expect(interfaceReasonOf(999)).toBe(999);
});
