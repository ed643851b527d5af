import { expect, it } from "vitest";
import { failuresSince, judgePause } from "./judge-pause.ts";
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
