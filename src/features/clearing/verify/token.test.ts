import { randomBytes } from "node:crypto";
import { expect, it } from "vitest";
import { makeVerificationToken } from "./token.ts";

it("a verification token has 32 letters, and no two are equal", () => {
  const tokens = Array.from({ length: 500 }, () => makeVerificationToken(randomBytes));
  for (const token of tokens) expect(token).toMatch(/^[A-Za-z]{32}$/);
  expect(new Set(tokens).size).toBe(500);
});

it("a byte that would favour some letters is not used", () => {
  const bytes = [new Uint8Array(32).fill(208), new Uint8Array(32).fill(207)];
  expect(makeVerificationToken(() => bytes.shift() ?? new Uint8Array(32))).toBe("Z".repeat(32));
});
