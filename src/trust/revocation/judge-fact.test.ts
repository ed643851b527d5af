import { describe, expect, it } from "vitest";
import { clockSkewMs, judgeFact } from "./judge-fact.ts";
import type { RevocationFact } from "./revocation-fact.ts";

const at = 1_800_000_000_000;
const dayMs = 86_400_000;
const good: Pick<RevocationFact, "status" | "thisUpdate" | "nextUpdate"> = {
  status: { kind: "good" },
  thisUpdate: at - dayMs,
  nextUpdate: at + dayMs,
};
const certificate = { validTo: at + 10 * dayMs };

const kindOf = (change: Partial<typeof good>, validTo = certificate.validTo): string =>
  judgeFact({ ...good, ...change }, { validTo }, at).kind;

describe("judgeFact", () => {
  it("counts a revocation from its own millisecond on", () => {
    const revokedAt = (time: number) => kindOf({ status: { kind: "revoked", at: time, reason: undefined } });
    expect(revokedAt(at)).toBe("revoked");
    expect(revokedAt(at + 1)).toBe("good");
  });

  it("accepts a status until its nextUpdate and the skew of clocks", () => {
    expect(kindOf({ nextUpdate: at - clockSkewMs })).toBe("good");
    expect(kindOf({ nextUpdate: at - clockSkewMs - 1 })).toBe("undecided");
  });

  it("accepts a status without nextUpdate for a day and the skew of clocks", () => {
    const thisUpdate = at - dayMs - clockSkewMs;
    expect(kindOf({ thisUpdate, nextUpdate: undefined })).toBe("good");
    expect(kindOf({ thisUpdate: thisUpdate - 1, nextUpdate: undefined })).toBe("undecided");
  });

  it("accepts a status that is newer than the time, whatever its nextUpdate", () => {
    expect(kindOf({ thisUpdate: at, nextUpdate: at - dayMs })).toBe("good");
    expect(kindOf({ thisUpdate: at - 1, nextUpdate: at - dayMs })).toBe("undecided");
  });

  it("accepts no status that was made after the end of the certificate", () => {
    expect(kindOf({ thisUpdate: at }, at)).toBe("good");
    expect(kindOf({ thisUpdate: at }, at - 1)).toBe("undecided");
  });

  it("decides nothing where the authority does not know the certificate", () => {
    expect(kindOf({ status: { kind: "unknown" } })).toBe("undecided");
  });
});
