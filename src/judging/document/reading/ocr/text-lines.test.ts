import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { halfRotation, smallestRectangle } from "./rectangle.ts";
import type { TextBox } from "./text-box.ts";
import { acrossAt, groupLines, rotatedLine } from "./text-lines.ts";
import { boxesOfMap } from "./text-map.ts";

const angle = fc.double({ min: -1.5, max: 1.5, noNaN: true });

const box = (u: number, v: number, width: number, direction: number): TextBox => ({
  x: u * Math.cos(direction) - v * Math.sin(direction),
  y: u * Math.sin(direction) + v * Math.cos(direction),
  width,
  height: 20,
  angle: halfRotation(direction),
  score: 0.9,
});

describe("smallestRectangle", () => {
  it("recovers a rotated rectangle", () => {
    fc.assert(
      fc.property(
        angle,
        fc.integer({ min: 60, max: 400 }),
        fc.integer({ min: 5, max: 50 }),
        (a, width, height) => {
          const corners = [-1, 1].flatMap((i) =>
            [-1, 1].map((j): [number, number] => {
              const [u, v] = [(i * width) / 2, (j * height) / 2];
              return [100 + u * Math.cos(a) - v * Math.sin(a), 50 + u * Math.sin(a) + v * Math.cos(a)];
            }),
          );
          const found = smallestRectangle(corners);
          expect(found?.width).toBeCloseTo(width, 6);
          expect(found?.height).toBeCloseTo(height, 6);
          expect(Math.abs(halfRotation((found?.angle ?? 9) - a))).toBeLessThan(1e-6);
          expect(found?.x).toBeCloseTo(100, 6);
        },
      ),
    );
  });

  it("has no rectangle for points on one line", () => {
    expect(
      smallestRectangle([
        [0, 0],
        [1, 1],
        [2, 2],
      ]),
    ).toBeUndefined();
  });
});

describe("boxesOfMap", () => {
  it("boxes a bar of text, grown to its ink, and drops specks and faint patches", () => {
    const [width, height] = [128, 64];
    const data = new Float32Array(width * height);
    for (let y = 20; y < 26; y++) data.fill(0.9, y * width + 10, y * width + 110);
    for (let y = 40; y < 46; y++) data.fill(0.35, y * width + 10, y * width + 60);
    data[5 * width + 5] = 1;
    const boxes = boxesOfMap({ width, height, data }, 2, 2);
    expect(boxes).toHaveLength(1);
    expect(boxes[0]?.x).toBeCloseTo(120, 5);
    expect(boxes[0]?.y).toBeCloseTo(46, 5);
    expect(boxes[0]?.height).toBeGreaterThan(12);
    expect(boxes[0]?.angle).toBeCloseTo(0, 9);
  });
});

describe("groupLines", () => {
  it("joins fragments of a line in any direction and keeps rows apart", () => {
    fc.assert(
      fc.property(angle, (direction) => {
        const boxes = [
          box(100, 0, 200, direction),
          box(330, 1, 200, direction),
          box(200, 50, 400, direction),
        ];
        const groups = groupLines(boxes);
        expect(groups).toHaveLength(1);
        const lengths = groups[0]?.lines.map(({ from, to }) => Math.round(to - from));
        expect(lengths?.sort()).toEqual([400, 430]);
      }),
    );
  });

  it("separates directions, the one with the longest line first", () => {
    const groups = groupLines([box(0, 0, 300, 0), box(0, 0, 500, Math.PI / 2)]);
    expect(groups.map((group) => Math.round(group.angle * 10) / 10)).toEqual([1.6, 0]);
  });

  it("ignores short boxes, which show no direction", () => {
    expect(groupLines([box(0, 0, 50, 0)])).toEqual([]);
  });
});

describe("rotatedLine", () => {
  it("applied twice is the same line at the same place", () => {
    const line = { from: 10, to: 200, across: 30, pivot: 50, height: 20, tilt: 0.02 };
    expect(rotatedLine(rotatedLine(line))).toEqual(line);
    expect(acrossAt(rotatedLine(line), -120)).toBeCloseTo(-acrossAt(line, 120), 9);
  });
});
