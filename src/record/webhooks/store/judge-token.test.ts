import { describe, expect, it } from "vitest";
import { judgeToken, type TokenState } from "./judge-token.ts";

const row = (change: Partial<TokenState> = {}): TokenState => ({
  serial: 3,
  revision: 1,
  refreshAt: 80,
  expiresAt: 100,
  leasedBy: null,
  leasedUntil: 0,
  ...change,
});
const need = { revision: 1, now: 50 };

describe("the token of a destination, for one worker", () => {
  it.each([
    ["fresh before its renewal", row(), need, ["fresh", true]],
    [
      "fresh whatever lease another worker has",
      row({ leasedBy: "x", leasedUntil: 99 }),
      need,
      ["fresh", true],
    ],
    ["due at 80 % of its life, and works on", row(), { ...need, now: 80 }, ["due", true]],
    ["due after its end, and works no more", row(), { ...need, now: 100 }, ["due", false]],
    ["due where there is none", row({ serial: 0, refreshAt: 0, expiresAt: 0 }), need, ["due", false]],
    ["due after the receiver refused it", row(), { ...need, refusedSerial: 3 }, ["due", false]],
    [
      "fresh where the receiver refused the one before",
      row(),
      { ...need, refusedSerial: 2 },
      ["fresh", true],
    ],
    ["due after a change of the destination", row(), { ...need, revision: 2 }, ["due", false]],
    ["fresh for a worker with older settings", row({ revision: 2 }), need, ["fresh", true]],
    [
      "held while another worker renews it",
      row({ leasedBy: "x", leasedUntil: 99 }),
      { ...need, now: 80 },
      ["held", true],
    ],
    [
      "due again when that worker's lease has ended",
      row({ leasedBy: "x", leasedUntil: 80 }),
      { ...need, now: 80 },
      ["due", true],
    ],
    [
      "held in the pause after a failed renewal",
      row({ leasedUntil: 99 }),
      { ...need, now: 80 },
      ["held", true],
    ],
    [
      "due in that pause where it works no more",
      row({ leasedUntil: 199 }),
      { ...need, now: 100 },
      ["due", false],
    ],
  ])("is %s", (_name, state, needed, [kind, works]) => {
    expect(judgeToken(state, needed)).toEqual({ kind, works });
  });
});
