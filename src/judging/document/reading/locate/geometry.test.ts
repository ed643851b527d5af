import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Quad } from "#machine/imaging/image";
import { intersectionOverUnion, orderCorners, rotateCorners, signedArea } from "./geometry.ts";

const side = fc.double({ min: 1, max: 100, noNaN: true });
const shift = fc.double({ min: -50, max: 50, noNaN: true });
const box = (x: number, y: number, w: number, h: number): Quad => [
  [x, y],
  [x + w, y],
  [x + w, y + h],
  [x, y + h],
];

describe("quadrilaterals", () => {
  it("overlap as upright rectangles do", () => {
    fc.assert(
      fc.property(side, side, shift, shift, (w, h, dx, dy) => {
        const shared = Math.max(0, w - Math.abs(dx)) * Math.max(0, h - Math.abs(dy));
        const expected = shared / (2 * w * h - shared);
        expect(intersectionOverUnion(box(0, 0, w, h), box(dx, dy, w, h))).toBeCloseTo(expected, 6);
      }),
    );
  });

  it("are ordered clockwise from the top left, whatever their first corner and direction", () => {
    const quad = box(3, 4, 20, 10);
    for (const rotations of [0, 1, 2, 3]) {
      const [a, b, c, d] = rotateCorners(quad, rotations);
      expect(orderCorners([a, b, c, d])).toEqual(quad);
      expect(orderCorners([d, c, b, a])).toEqual(quad);
    }
    expect(signedArea(quad)).toBe(200);
  });
});
