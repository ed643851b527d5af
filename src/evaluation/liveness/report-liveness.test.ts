import { expect, it } from "vitest";
import type { LivenessJudgement } from "#judging/face/liveness/judge-liveness";
import type { LivenessResult } from "#judging/face/liveness/liveness-rules";
import { type LivenessCase, reportLiveness } from "./report-liveness.ts";

const judged = (result: LivenessResult, attackScore?: number): LivenessJudgement => ({
  result,
  assurance: "advisory",
  ...(attackScore !== undefined && { attackScore }),
  evidence: [],
});
const some = (n: number, label: LivenessCase["label"], attack: string, judgement: LivenessJudgement) =>
  Array.from({ length: n }, (): LivenessCase => ({ label, attack, judgement }));

it("counts errors over verdicts per kind of attack, and names the worst", () => {
  const report = reportLiveness([
    ...some(18, "live", "", judged("Live", 0.1)),
    ...some(2, "live", "", judged("NoLive", 0.8)),
    ...some(5, "live", "", judged("NoneBecauseEyesClosed")),
    ...some(9, "spoof", "telephone", judged("NoLive", 0.9)),
    ...some(1, "spoof", "telephone", judged("Live", 0.1)),
    ...some(4, "spoof", "print", judged("Live", 0.2)),
    ...some(6, "spoof", "print", judged("NoneBecauseBadQuality")),
  ]);
  expect(report.bounds.bpcer).toMatchObject({ rate: 0.1, n: 20 });
  expect(report.attacks["telephone"]).toMatchObject({ pictures: 10, apcer: { rate: 0.1, n: 10 } });
  expect(report.attacks["print"]).toMatchObject({ apcer: { rate: 1, n: 4 }, none: { rate: 0.6, n: 10 } });
  expect(report.worst).toMatchObject({ attack: "print", apcer: { rate: 1, low: expect.any(Number) } });
  expect(report.attacks["telephone"]!.auc).toBeGreaterThan(0.85);
  expect(report.assurance).toEqual({ advisory: 45 });
});

it("reports nothing for an empty set", () => {
  const report = reportLiveness([]);
  expect(report).toMatchObject({ live: 0, spoof: 0, attacks: {} });
  expect(report.worst).toBeUndefined();
});
