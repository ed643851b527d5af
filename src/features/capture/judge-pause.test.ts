import { expect, it } from "vitest";
import { failuresSince, judgeAddress, judgePause } from "./judge-pause.ts";
import { defaultCapturePolicy as policy } from "./policy.ts";

const at = (ms: number): Date => new Date(1_790_000_000_000 + ms);
const spread = (spanMs: number, count = 5): readonly Date[] =>
  Array.from({ length: count }, (_, n) => at((spanMs * n) / (count - 1)));

it("pauses for 30 minutes after five refusals in three minutes, from the last one", () => {
  expect(judgePause(spread(180_000), at(180_000), policy)).toBe(1800);
  expect(judgePause(spread(180_001), at(180_001), policy)).toBe(0);
  expect(judgePause(spread(60_000, 4), at(60_000), policy)).toBe(0);
  expect(judgePause(spread(0), at(1_799_999), policy)).toBe(1);
  expect(judgePause(spread(0), at(1_800_000), policy)).toBe(0);
});

it("needs no refusal from before its window and its pause together", () => {
  expect(failuresSince(at(1_980_000), policy)).toEqual(at(0));
});

it("gives an address fifty refusals in thirty minutes, and one back as each of them ends", () => {
  const most = policy.addressFailuresMax;
  expect(most).toBe(50);
  expect(judgeAddress(spread(0, most - 1), at(0), policy)).toBe(0);
  expect(judgeAddress(spread(0, most), at(0), policy)).toBe(1800);
  expect(judgeAddress(spread(0, most), at(1_799_999), policy)).toBe(1);
  expect(judgeAddress(spread(0, most), at(1_800_000), policy)).toBe(0);
  // The oldest of fifty ends first: one more may then be refused.
  expect(judgeAddress(spread(490_000, most), at(490_000), policy)).toBe(1310);
  expect(judgeAddress([...spread(490_000, most), at(1_000_000)], at(1_000_000), policy)).toBe(810);
});
