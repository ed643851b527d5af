import { expect, it } from "vitest";
import { runIdem } from "./harness/service.ts";

it("onboards the genuine person and nobody else, through the real command line", {
  timeout: 240_000,
}, async () => {
  const { code, stdout, stderr } = await runIdem(["demo", "--exit", "--json"]);
  const lines = stdout
    .trim()
    .split("\n")
    .map((line): unknown => JSON.parse(line));
  const ms = expect.any(Number);
  expect(lines, stderr).toEqual([
    {
      case: "genuine",
      outcome: "approved",
      facialAuthenticationResult: 3,
      passiveLivenessResult: 3,
      verificationCode: 9001,
      reasonCode: null,
      ms,
    },
    {
      case: "other-person",
      outcome: "rejected",
      facialAuthenticationResult: 1,
      passiveLivenessResult: 3,
      verificationCode: 9001,
      reasonCode: null,
      ms,
    },
    {
      case: "screen",
      outcome: "rejected",
      facialAuthenticationResult: 3,
      passiveLivenessResult: 17,
      verificationCode: 9001,
      reasonCode: null,
      ms,
    },
    {
      case: "expired",
      outcome: "rejected",
      facialAuthenticationResult: 3,
      passiveLivenessResult: 3,
      verificationCode: 9102,
      reasonCode: 511,
      ms,
    },
    {
      case: "broken-check-digit",
      outcome: "review",
      facialAuthenticationResult: 3,
      passiveLivenessResult: 3,
      verificationCode: 9121,
      reasonCode: 507,
      ms,
    },
  ]);
  expect(code).toBe(0);
});
