import { describe, expect, it } from "vitest";
import { type PortraitEvidence, portraitEvidences } from "#contract/portrait-evidence";
import { countedUnder } from "#judging/face/countable-rate";
import { fmrAtScore, scoreAtFmr } from "#judging/face/matching/calibration";
import { judgeAssurance, judgeDocumentRate, strict } from "./judge-assurance.ts";

const countedBy = { policyVersion: countedUnder.scale, models: countedUnder.models };
const comparisonAt = (score: number | null) => ({
  score,
  falseMatchRate: score === null ? null : fmrAtScore(score),
});
const recordOf = (
  assurance: string | null,
  score: number | null,
  policyVersion: string = countedUnder.scale,
) => ({
  ...countedBy,
  policyVersion,
  measurements: { liveness: { assurance }, comparison: comparisonAt(score) },
});
const leastScore = scoreAtFmr(strict.falseMatchRateMax) + 1e-9;
const strong = recordOf("active-turn", leastScore);
const missingIn = (...[record, evidence]: [ReturnType<typeof recordOf>, PortraitEvidence?]) =>
  judgeAssurance("strict", record, evidence)?.facts["missing"];

describe("the assurance of a verification token", () => {
  it("asks for nothing more than the interface where the operator asks for nothing more", () => {
    expect(judgeAssurance("interface", recordOf(null, null), "unproven")).toBeUndefined();
    expect(judgeAssurance("interface", { ...countedBy, measurements: null })).toBeUndefined();
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
    expect(missingIn(recordOf("model", 6), "ghost")).toBe(
      "the level of liveness is model, active-turn is needed",
    );
    const below = leastScore - 1e-3;
    expect(missingIn(recordOf("active-turn", below), "ghost")).toBe(
      `the false match rate of the comparison is ${fmrAtScore(below)}, at most ${strict.falseMatchRateMax} is accepted`,
    );
    expect(missingIn(recordOf("active-turn", null), "ghost")).toContain("is unknown");
  });

  it("that is strict knows no rate of an own cohort or an added recogniser: nothing was counted there", () => {
    for (const name of ["cohort/0123abcd", "other/0123abcd"]) {
      const scaled = recordOf("active-turn", leastScore, `${countedUnder.scale}+${name}`);
      expect(missingIn(scaled, "ghost")).toBe(
        `the false match rate of the comparison is unknown, at most ${strict.falseMatchRateMax} is accepted`,
      );
      expect(judgeAssurance("interface", scaled)).toBeUndefined();
    }
  });

  it("that is strict names every missing part at once, also of a record without measurements", () => {
    const missing = judgeAssurance("strict", { ...countedBy, measurements: null })?.facts["missing"];
    expect(String(missing).split("; ")).toHaveLength(3);
  });
});

describe("the comparison of document and selfie", () => {
  const comparedAt = (score: number, policyVersion: string = countedUnder.scale) => ({
    samePersonBy: "faces" as const,
    comparison: { ...countedBy, policyVersion, measurements: { comparison: comparisonAt(score) } },
  });
  const missingOf = (found: Parameters<typeof judgeDocumentRate>[1]) =>
    judgeDocumentRate("strict", found)?.facts["missing"];

  it("is held to the limit of the strict policy, whatever the identity call compared", () => {
    expect(missingOf(comparedAt(leastScore))).toBeUndefined();
    const below = leastScore - 1e-3;
    expect(missingOf(comparedAt(below))).toBe(
      `the false match rate of document and selfie is ${fmrAtScore(below)}, at most ${strict.falseMatchRateMax} is accepted`,
    );
    expect(missingOf(comparedAt(leastScore, `${countedUnder.scale}+cohort/0123abcd`))).toContain(
      "is unknown",
    );
    expect(missingOf({ samePersonBy: "faces" })).toContain("is unknown");
  });

  it("is not asked for under the interface's policy, nor where an equal image joins both", () => {
    expect(judgeDocumentRate("interface", comparedAt(leastScore - 1))).toBeUndefined();
    expect(missingOf({ samePersonBy: "image" })).toBeUndefined();
  });
});
