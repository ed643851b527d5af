import { expect, it } from "vitest";
import { Failure } from "#contract/failure";
import { hasLevel, levelsMin, requireLevel, sessionLevelOf, usualLevelMin } from "./level.ts";

const attested = (level?: "passive" | "active-turn") => ({
  attestation: { sessionId: "s", sequence: 0, source: "camera", ...(level && { level }) } as const,
});
const plain = {};

it.each([
  ["passive", plain, true],
  ["passive", undefined, true],
  ["passive", attested("passive"), true],
  ["captured", plain, true],
  ["captured", undefined, true],
  ["captured", attested("active-turn"), true],
  ["captured", attested("passive"), false],
  ["captured", attested(), false],
  ["active-turn", attested("active-turn"), true],
  ["active-turn", attested("passive"), false],
  ["active-turn", attested(), false],
  ["active-turn", plain, false],
  ["active-turn", undefined, false],
] as const)("at %s a best image with %j has the level: %s", (min, token, answer) => {
  expect(hasLevel(min, token)).toBe(answer);
  const required = () => requireLevel(min, token);
  if (answer) expect(required).not.toThrow();
  else expect(required).toThrow(Failure);
});

it("asks for no level where a deployment has no rule", () => {
  expect(() => requireLevel(undefined, undefined)).not.toThrow();
});

it("is asked of captures in production, and what a session asks for satisfies every use", () => {
  expect(usualLevelMin("production")).toBe("captured");
  expect(usualLevelMin("development")).toBe("passive");
  for (const min of levelsMin) expect(hasLevel(min, attested(sessionLevelOf(["passive", min])))).toBe(true);
  expect(sessionLevelOf(["passive", "passive"])).toBe("passive");
});
