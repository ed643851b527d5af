import { describe, expect, it } from "vitest";
import { type ClaimState, judgeClaim } from "./claim.ts";

const now = 1_000_000;
const attempt = { request: "r", owner: "o", now: new Date(now), forgottenBefore: new Date(now - 1000) };

const row = (change: Partial<ClaimState> = {}): ClaimState => ({
  request: "r",
  owner: "o",
  claimedAt: now - 1,
  leasedUntil: now,
  isAnswered: false,
  ...change,
});

describe("a claimed call, for another attempt", () => {
  it.each([
    ["answered", row({ isAnswered: true })],
    ["answered, whatever its lease", row({ isAnswered: true, leasedUntil: now + 1 })],
    ["running until its lease ends", row({ leasedUntil: now + 1 })],
    ["abandoned when its lease has ended", row({ leasedUntil: now })],
    ["abandoned when its lease was ended", row({ leasedUntil: 0 })],
    ["answered in the last millisecond of its time", row({ isAnswered: true, claimedAt: now - 999 })],
    ["forgotten after its time", row({ isAnswered: true, claimedAt: now - 1000 })],
    ["forgotten after its time without an answer", row({ claimedAt: now - 1000 })],
    ["running, not forgotten, while it is leased", row({ claimedAt: 0, leasedUntil: now + 1 })],
  ])("is %s", (name, state) => {
    expect(name.startsWith(judgeClaim(state, attempt))).toBe(true);
  });

  it("is another request's, answered, running or abandoned", () => {
    const other = { ...attempt, request: "other" };
    for (const state of [row({ isAnswered: true }), row({ leasedUntil: now + 1 }), row()]) {
      expect(judgeClaim(state, other)).toBe("reused");
    }
  });

  it.each(["other", null])("of the owner %s is taken, in every state and for every request", (owner) => {
    for (const state of [row({ isAnswered: true }), row({ leasedUntil: now + 1 }), row()]) {
      for (const request of ["r", "other"]) {
        expect(judgeClaim({ ...state, owner }, { ...attempt, request })).toBe("taken");
      }
    }
    expect(judgeClaim(row({ owner, claimedAt: now - 1000 }), attempt)).toBe("forgotten");
  });

  it("is forgotten for another request too", () => {
    expect(judgeClaim(row({ claimedAt: now - 1000 }), { ...attempt, request: "other" })).toBe("forgotten");
  });
});
