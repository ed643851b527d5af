import { describe, expect, it } from "vitest";
import { judgeRenewal, lifetimesMs } from "./lifetimes.ts";

const dayMs = 86_400_000;
const yearMs = 365.25 * dayMs;
const far = {
  root: 40 * yearMs,
  issuing: 39 * yearMs,
  signer: 3 * yearMs,
  stamper: 10 * yearMs,
  responder: 3 * yearMs,
};

describe("judgeRenewal", () => {
  it("makes no certificate anew while all last", () => {
    expect(judgeRenewal(far, 0)).toBe("none");
  });

  it.each([
    ["signer", 180 * dayMs],
    ["responder", 180 * dayMs],
    ["stamper", 5 * yearMs],
  ] as const)("makes the certificates anew when that of the %s comes near its end", (role, before) => {
    expect(judgeRenewal({ ...far, [role]: before }, 0)).toBe("none");
    expect(judgeRenewal({ ...far, [role]: before - 1 }, 0)).toBe("leaves");
  });

  it("makes all anew when the authority would end before the new certificates", () => {
    const near = { ...far, signer: 0 };
    expect(judgeRenewal({ ...near, issuing: lifetimesMs.stamper + 1 }, 0)).toBe("leaves");
    expect(judgeRenewal({ ...near, issuing: lifetimesMs.stamper }, 0)).toBe("all");
    expect(judgeRenewal({ ...near, root: lifetimesMs.stamper }, 0)).toBe("all");
  });
});
