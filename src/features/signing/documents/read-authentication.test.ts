import { describe, expect, it } from "vitest";
import { isPositive } from "#record/transactions/authentication-hash";
import { refuseAuthentication } from "./read-authentication.ts";

const at = new Date("2026-11-23T21:00:00.000Z");
const after = (ms: number): Date => new Date(at.getTime() + ms);
const rules = { isPositive, ageMsMax: 30 * 60_000 };
const record = { endpoint: "identity", result: { facial: 3, liveness: 3 }, at };

describe("an authentication to sign with", () => {
  it("may be as old as the limit, and no millisecond older", () => {
    expect(() => refuseAuthentication(record, rules, after(0))).not.toThrow();
    expect(() => refuseAuthentication(record, rules, after(30 * 60_000))).not.toThrow();
    expect(() => refuseAuthentication(record, rules, after(30 * 60_000 + 1))).toThrow(
      expect.objectContaining({
        code: "transaction_too_old",
        facts: { ageMinutes: 31, ageMinutesMax: 30 },
      }),
    );
  });

  it.each([
    ["identity", { facial: 3, liveness: 17 }],
    ["identity", { facial: 1, liveness: 3 }],
    ["authenticateFacial", { facial: 1 }],
    ["authenticateUserV2", { code: -102 }],
    ["documentValidation", { decision: 9001 }],
  ])("must be positive: %s %j is refused, and its endpoint is named", (endpoint, result) => {
    expect(() => refuseAuthentication({ endpoint, result, at }, rules, after(1))).toThrow(
      expect.objectContaining({ code: "transaction_not_positive", facts: { endpoint } }),
    );
  });
});
