import { describe, expect, it } from "vitest";
import { printedBands } from "./printed-bands.ts";
import type { TextBox } from "./text-box.ts";

const box = (x: number, y: number, width: number, height: number, angle = 0): TextBox => ({
  x,
  y,
  width,
  height,
  angle,
  score: 0.9,
});

describe("printedBands", () => {
  it("joins words of one line, and keeps a second column apart", () => {
    const bands = printedBands([box(200, 100, 100, 20), box(80, 101, 120, 20), box(400, 100, 100, 20)]);
    expect(bands.map(({ from, to }) => [from, to])).toEqual([
      [20, 250],
      [350, 450],
    ]);
  });

  it("does not join a label with the larger value beside it, nor lines above each other", () => {
    expect(printedBands([box(100, 100, 100, 12), box(200, 100, 90, 24)])).toHaveLength(2);
    expect(printedBands([box(100, 100, 100, 20), box(100, 118, 100, 20)])).toHaveLength(2);
  });

  it("takes the box of a single letter as upright, and drops text along an edge", () => {
    expect(printedBands([box(50, 50, 30, 20, Math.PI / 2)])).toEqual([
      { from: 40, to: 60, across: 50, pivot: 50, height: 30, tilt: 0 },
    ]);
    expect(printedBands([box(50, 50, 200, 20, Math.PI / 2)])).toEqual([]);
  });

  it("follows the tilt of a long box", () => {
    expect(printedBands([box(200, 100, 200, 20, 0.05)])[0]?.tilt).toBe(0.05);
  });
});
