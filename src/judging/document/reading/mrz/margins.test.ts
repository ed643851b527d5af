import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Point, Quad } from "#machine/imaging/image";
import { marginsAround } from "./margins.ts";

const image = { width: 1600, height: 1200 };
const pitch = 20;

/** The MRZ of a passport whose first character is at `at`, seen from above. */
const mrzAt = ([x, y]: Point): Quad => {
  const right = x + 44 * pitch;
  const below = y + 3.9 * pitch;
  return [
    [x, y],
    [right, y],
    [right, below],
    [x, below],
  ];
};
const margin = (at: Point) => marginsAround({ format: "TD3", quad: mrzAt(at) }, image)!;

/** Positions on a page of 125 x 88 mm, origin at its centre: the page corners, and the MRZ corners. */
const pageMm: readonly Point[] = [
  [-62.5, -44],
  [62.5, -44],
  [62.5, 44],
  [-62.5, 44],
];
const mrzMm: readonly Point[] = [
  [-57, 27.5],
  [54.8, 27.5],
  [54.8, 37.4],
  [-57, 37.4],
];

/**
 * A page that leans towards the camera by degrees about either axis, at 250 mm from its centre; `groundShare`
 * of the frame is background around it.
 */
const lean = (aboutX: number, aboutY: number, groundShare: number): number => {
  const [a, b] = [(aboutX * Math.PI) / 180, (aboutY * Math.PI) / 180];
  const seen = ([x, y]: Point): Point => {
    const depth = 250 + y * Math.sin(a) + x * Math.sin(b);
    return [(2500 * x * Math.cos(b)) / depth, (2500 * y * Math.cos(a)) / depth];
  };
  const corners = pageMm.map(seen);
  const ground = groundShare * 1250;
  const [left, top] = [0, 1].map((axis) => Math.min(...corners.map((corner) => corner[axis]!)) - ground);
  const [right, bottom] = [0, 1].map((axis) => Math.max(...corners.map((corner) => corner[axis]!)) + ground);
  const [one, two, three, four] = mrzMm.map(seen).map(([x, y]): Point => [x - left!, y - top!]);
  const quad: Quad = [one!, two!, three!, four!];
  return marginsAround({ format: "TD3", quad }, { width: right! - left!, height: bottom! - top! })!;
};

describe("marginsAround", () => {
  it("is the narrowest margin, as a share of the document's longer side", () => {
    // The MRZ starts 100 px from the left border. Two pitches of it are the page's, so three pitches of 2.54
    // mm are left.
    expect(margin([100, 700])).toBeCloseTo((3 * 2.54) / 125, 6);
    expect(margin([300, 1200 - 1 - 7.5 * pitch])).toBeCloseTo((1 * 2.54) / 125, 6);
  });

  it("is negative when the image cuts the page on any side", () => {
    expect(margin([300, 700])).toBeGreaterThan(0.05);
    const cuts: readonly Point[] = [
      [15, 700],
      [1600 - 44 * pitch - 10, 700],
      [300, 1200 - 4 * pitch - 10],
      [300, 400],
    ];
    for (const cut of cuts) expect(margin(cut)).toBeLessThan(-0.02);
  });

  it("reports no whole page as cut when it leans towards the camera by up to 35 degrees", () => {
    const tilt = fc.double({ min: -35, max: 35, noNaN: true });
    fc.assert(
      fc.property(tilt, tilt, fc.double({ min: 0.01, max: 0.3, noNaN: true }), (x, y, ground) => {
        expect(lean(x, y, ground)).toBeGreaterThan(-0.02);
      }),
    );
  });

  it("does not change with the image's rotation", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 700 }), fc.integer({ min: 0, max: 1100 }), (x, y) => {
        const rotated = (point: Point): Point => [image.height - 1 - point[1], point[0]];
        const [a, b, c, d] = mrzAt([x, y]);
        const quad: Quad = [rotated(a), rotated(b), rotated(c), rotated(d)];
        const side = { width: image.height, height: image.width };
        expect(marginsAround({ format: "TD3", quad }, side)).toBeCloseTo(margin([x, y]), 6);
      }),
    );
  });

  it("is undefined for national formats", () => {
    expect(marginsAround({ format: "FRA-ID", quad: mrzAt([300, 700]) }, image)).toBeUndefined();
  });
});
