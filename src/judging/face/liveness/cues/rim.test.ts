import { expect, it } from "vitest";
import type { Point } from "#machine/imaging/image";
import { measureRim } from "./rim.ts";

const side = 300;
const corners: readonly Point[] = [
  [60, 60],
  [240, 60],
  [240, 240],
  [60, 240],
];
const drawn = (level: (x: number, y: number) => number) => ({
  width: side,
  height: side,
  data: Uint8Array.from({ length: side * side }, (_, i) => level(i % side, Math.floor(i / side))),
});
const inside = (x: number, y: number, margin: number): boolean =>
  x >= 60 + margin && x < 240 - margin && y >= 60 + margin && y < 240 - margin;
const busy = (x: number, y: number): number => (x * 37 + y * 91) % 256;

it("finds a bezel, and none around a cut-out of a busy image", () => {
  const bezel = drawn((x, y) => (inside(x, y, 12) ? busy(x, y) : inside(x, y, 0) ? 20 : busy(y, x)));
  const none = drawn((x, y) => busy(x, y));
  expect(measureRim(bezel, corners)).toBeGreaterThan(0.95);
  expect(measureRim(none, corners)).toBeLessThan(0.35);
});

it("is missing without a frame", () => {
  expect(measureRim(drawn(busy), [])).toBeUndefined();
});
