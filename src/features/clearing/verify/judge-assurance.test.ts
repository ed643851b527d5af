import { describe, expect, it } from "vitest";
import { type PortraitEvidence, portraitEvidences } from "#contract/portrait-evidence";
import { judgeAssurance, strict } from "./judge-assurance.ts";

const recordOf = (assurance: string | null, falseMatchRate: number | null) => ({
  measurements: { liveness: { assurance }, comparison: { falseMatchRate } },
});
const strong = recordOf("active-turn", 1e-3);
const missingIn = (...[record, evidence]: [ReturnType<typeof recordOf>, PortraitEvidence?]) =>
  judgeAssurance("strict", record, evidence)?.facts["missing"];

describe("the assurance of a verification token", () => {
  it("asks for nothing more than the interface where the operator asks for nothing more", () => {
    expect(judgeAssurance("interface", recordOf(null, null), "unproven")).toBeUndefined();
    expect(judgeAssurance("interface", { measurements: null })).toBeUndefined();
  });

  it("that is strict holds with evidence of the portrait, a turned head and a counted rate", () => {
    for (const evidence of portraitEvidences.slice(1)) expect(missingIn(strong, evidence)).toBeUndefined();
  });

  it("that is strict refuses each part that is missing, and names it with what is needed", () => {
    expect(missingIn(strong, "unproven")).toBe(
      "the evidence of the portrait is unproven, at least print-consistent is needed",
    );
    // A validation of an earlier release states none.
    expect(missingIn(strong)).toContain("the evidence of the portrait is unproven");
    expect(missingIn(recordOf("model", 1e-6), "ghost")).toBe(
      "the level of liveness is model, active-turn is needed",
    );
    expect(missingIn(recordOf("active-turn", 1.001e-3), "ghost")).toBe(
      `the false match rate of the comparison is 0.001001, at most ${strict.falseMatchRateMax} is accepted`,
    );
    expect(missingIn(recordOf("active-turn", null), "ghost")).toContain("is unknown");
  });

  it("that is strict names every missing part at once, also of a record without measurements", () => {
    const missing = judgeAssurance("strict", { measurements: null })?.facts["missing"];
    expect(String(missing).split("; ")).toHaveLength(3);
  });
});
