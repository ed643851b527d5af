import { expect, it } from "vitest";
import { type CaptureCase, reportCaptures } from "./report-captures.ts";

const capture = (change: Partial<CaptureCase>): CaptureCase => ({
  label: "live",
  attack: "",
  device: "phone",
  light: "20",
  result: "pass",
  spanMs: 9000,
  nullScalars: { brightness: 120 },
  ...change,
});
const times = (count: number, change: Partial<CaptureCase>) =>
  Array.from({ length: count }, () => capture(change));

const report = reportCaptures([
  ...times(7, {}),
  ...times(2, { result: "again", reason: "moved_too_little", light: "300", spanMs: undefined }),
  capture({ result: "fail", reason: "flat", spanMs: 21_000 }),
  ...times(9, {
    label: "spoof",
    attack: "flat",
    result: "fail",
    reason: "flat",
    nullScalars: { brightness: 60 },
  }),
  ...times(1, { label: "spoof", attack: "flat", result: "pass", nullScalars: { brightness: 60 } }),
  ...times(3, { label: "spoof", attack: "video", result: "pass", nullScalars: {} }),
]);

it("counts errors over verdicts, and new tries over all, with exact bounds", () => {
  expect(report).toMatchObject({ live: 10, spoof: 13 });
  expect(report.bpcer).toMatchObject({ rate: 1 / 8, n: 8 });
  expect(report.bpcer.high).toBeCloseTo(0.5265, 3);
  expect(report.tryAgain).toMatchObject({ rate: 0.2, n: 10 });
  expect(report.attacks["flat"]?.apcer).toMatchObject({ rate: 0.1, n: 10 });
  expect(report.attacks["video"]?.apcer).toMatchObject({ rate: 1, n: 3, high: 1 });
});

it("shows live captures by device and light, and every reason", () => {
  expect(report.conditions["phone, 20"]).toMatchObject({ medianMs: 9000, bpcer: { n: 8 } });
  expect(report.conditions["phone, 300"]).toMatchObject({ medianMs: null, tryAgain: { rate: 1 } });
  expect(report.reasons).toEqual({
    pass: { live: 7, spoof: 4 },
    "again moved_too_little": { live: 2, spoof: 0 },
    "fail flat": { live: 1, spoof: 9 },
  });
});

it("shows how well a number that knows nothing of liveness separates the set", () => {
  expect(report.nullScalars["brightness"]).toBe(1);
});
