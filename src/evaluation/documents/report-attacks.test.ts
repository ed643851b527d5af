import { expect, it } from "vitest";
import type { FusedAttack } from "#judging/document/decision/attacks/fusion";
import { reportAttacks } from "./report-attacks.ts";

const fused = (logOdds: number): FusedAttack => ({
  logOdds,
  verdict: logOdds > 0 ? "doubtful" : "credible",
  cues: [{ name: "grey-copy", on: "front", level: logOdds > 0 ? "weak" : "none", weight: 0, evidence: {} }],
});
const attack = (kind: string, clip: string, logOdds: number) =>
  ({ label: "attack", kind, clip, fused: fused(logOdds) }) as const;
const genuine = (clip: string, logOdds: number) =>
  ({ label: "genuine", kind: "", clip, fused: fused(logOdds) }) as const;

it("counts attacks by clip, genuine documents by image, and leaves out unreadable images", () => {
  const report = reportAttacks([
    attack("copy", "a", 1),
    attack("copy", "a", 2),
    attack("copy", "a", -1),
    attack("copy", "b", -1),
    attack("copy", "b", 1),
    attack("screen", "c", -2),
    genuine("d", -1),
    genuine("d", 1),
    genuine("e", -2),
    { label: "attack", kind: "screen", clip: "f" },
  ]);
  expect(report).toMatchObject({
    genuine: 3,
    bpcer: 1 / 3,
    unread: 1,
    genuineSignals: { "grey-copy": 1 },
    kinds: {
      copy: { clips: 2, pictures: 5, apcer: 0.5, signals: { "grey-copy": 1 } },
      screen: { clips: 1, pictures: 1, apcer: 1, signals: {} },
    },
  });
  expect(report.kinds["copy"]!.auc).toBeCloseTo((2.5 + 3 + 1.5 + 1.5 + 2.5) / 15, 9);
  expect(report.kinds["copy"]!.bounds.high).toBeGreaterThan(0.9);
});

it("has no rates without images", () => {
  expect(reportAttacks([])).toMatchObject({ genuine: 0, bpcer: Number.NaN, kinds: {} });
});
