import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { gradient } from "#support/imaging/images";
import type { Affine, Image, Quad } from "./image.ts";
import { newMemory } from "./pixel-memory.ts";
import { crop, rotate, toGrey } from "./pixels.ts";
import { makeRectify } from "./rectify.ts";
import { makeWarpAffine } from "./warp.ts";

const rectify = makeRectify(newMemory);
const warpAffine = makeWarpAffine(newMemory);

const identity: Affine = [1, 0, 0, 0, 1, 0];

/** Plain bilinear interpolation at one point, 0 beyond the image: the reference for the fast path. */
const lookUp = (
  { width, height, data }: Image,
  x: number,
  y: number,
  channel: number,
  fill: number,
): number => {
  const at = (column: number, row: number): number =>
    column >= 0 && row >= 0 && column < width && row < height
      ? data[(row * width + column) * 3 + channel]!
      : fill;
  const [left, top] = [Math.floor(x), Math.floor(y)];
  const [fx, fy] = [x - left, y - top];
  const upper = at(left, top) * (1 - fx) + at(left + 1, top) * fx;
  const lower = at(left, top + 1) * (1 - fx) + at(left + 1, top + 1) * fx;
  return upper * (1 - fy) + lower * fy;
};

describe("warpAffine", () => {
  it("copies by the identity", () => {
    const image = gradient(7, 5);
    expect(Array.from(warpAffine(image, identity, 7, 5))).toEqual(Array.from(image.data));
  });

  it("equals bilinear interpolation wherever it does not shrink, inside and beyond the image", () => {
    const image = gradient(16, 12);
    const term = fc.double({ min: -1, max: 1, noNaN: true });
    const shift = fc.double({ min: -6, max: 20, noNaN: true });
    fc.assert(
      fc.property(term, term, shift, term, term, shift, (a, b, c, d, e, f) => {
        const warped = warpAffine(image, [a, b, c, d, e, f], 6, 6, 33);
        for (let i = 0; i < warped.length; i++) {
          const [u, v] = [Math.floor(i / 3) % 6, Math.floor(i / 18)];
          const expected = lookUp(image, a * u + b * v + c, d * u + e * v + f, i % 3, 33);
          if (Math.abs(warped[i]! - expected) > 1e-2) return false;
        }
        return true;
      }),
    );
  });

  it("keeps positions when it shrinks: a gradient stays the same gradient", () => {
    const image = gradient(400, 300);
    for (const scale of [2, 3.4, 5, 9]) {
      const width = Math.floor(400 / scale) - 4;
      const height = Math.floor(300 / scale) - 4;
      const warped = warpAffine(image, [scale, 0, 2 * scale, 0, scale, 2 * scale], width, height);
      for (const [u, v] of [
        [1, 1],
        [width - 2, 3],
        [5, height - 2],
      ] as const) {
        const at = (v * width + u) * 3;
        expect(Math.abs(warped[at]! - (255 * scale * (u + 2)) / 399)).toBeLessThan(1.2);
        expect(Math.abs(warped[at + 1]! - (255 * scale * (v + 2)) / 299)).toBeLessThan(1.2);
      }
    }
  });

  it("averages when it shrinks: a fine chessboard becomes grey", () => {
    const image = gradient(128, 128);
    const board = image.data.map((_, i) => ((Math.floor(i / 3) + Math.floor(i / 384)) % 2) * 255);
    const warped = warpAffine({ ...image, data: board }, [4, 0, 1.5, 0, 4, 1.5], 32, 32);
    expect(Math.min(...warped)).toBeGreaterThan(120);
    expect(Math.max(...warped)).toBeLessThan(135);
  });

  it("fills the area beyond the image", () => {
    const warped = warpAffine(gradient(4, 4), [1, 0, 100, 0, 1, 100], 3, 3, 114);
    expect(new Set(warped)).toEqual(new Set([114]));
  });
});

describe("rectify", () => {
  const whole: Quad = [
    [-0.5, -0.5],
    [29.5, -0.5],
    [29.5, 19.5],
    [-0.5, 19.5],
  ];

  it("returns the image itself for its own corners", () => {
    const image = gradient(30, 20);
    expect(Array.from(rectify(image, whole, 30, 20).data)).toEqual(Array.from(image.data));
  });

  it("rotates with the order of the corners", () => {
    const image = gradient(30, 20);
    const rotated = rectify(image, [whole[1], whole[2], whole[3], whole[0]], 20, 30);
    expect(rotated).toMatchObject({ width: 20, height: 30 });
    expect(Array.from(rotated.data.subarray(0, 3))).toEqual([255, 0, 80]);
  });

  it("maps straight lines of a perspective to straight lines", () => {
    const image = gradient(400, 400);
    const quad: Quad = [
      [50, 40],
      [340, 80],
      [380, 360],
      [20, 300],
    ];
    const flat = rectify(image, quad, 200, 200);
    const corner = (u: number, v: number): readonly [number, number] => {
      const at = (v * 200 + u) * 3;
      return [(flat.data[at]! * 399) / 255, (flat.data[at + 1]! * 399) / 255];
    };
    for (const [i, [u, v]] of (
      [
        [0, 0],
        [199, 0],
        [199, 199],
        [0, 199],
      ] as const
    ).entries()) {
      const [x, y] = corner(u, v);
      expect(Math.hypot(x - quad[i]![0], y - quad[i]![1])).toBeLessThan(5);
    }
    // The diagonals of the quadrilateral cross where the square's do.
    const [x, y] = corner(100, 100);
    expect(Math.hypot(x - 194.4, y - 180.1)).toBeLessThan(6);
  });

  it("keeps a margin around the quadrilateral", () => {
    const image = gradient(300, 300);
    const inner: Quad = [
      [99.5, 99.5],
      [199.5, 99.5],
      [199.5, 199.5],
      [99.5, 199.5],
    ];
    const flat = rectify(image, inner, 120, 120, 0.1);
    expect(Math.abs(flat.data[0]! - (255 * 90) / 299)).toBeLessThan(2);
  });

  it("returns an image for a quadrilateral without area and for one far beyond the image", () => {
    const point: Quad = [
      [5, 5],
      [5, 5],
      [5, 5],
      [5, 5],
    ];
    expect(rectify(gradient(9, 9), point, 8, 8).data).toHaveLength(192);
    const far: Quad = [
      [1e6, 1e6],
      [2e6, 1e6],
      [2e6, 2e6],
      [1e6, 2e6],
    ];
    expect(rectify(gradient(9, 9), far, 8, 8).data).toHaveLength(192);
  });
});

describe("rotate", () => {
  const image = gradient(5, 3);
  const whole: Quad = [
    [-0.5, -0.5],
    [4.5, -0.5],
    [4.5, 2.5],
    [-0.5, 2.5],
  ];
  const corners = (first: number): Quad => [
    whole[first % 4]!,
    whole[(first + 1) % 4]!,
    whole[(first + 2) % 4]!,
    whole[(first + 3) % 4]!,
  ];

  it.each([1, 2, 3] as const)(
    "by %i equals the image rectified with its corners in another order",
    (rotations) => {
      const rotated = rotate(image, rotations);
      expect(rotated).toEqual(rectify(image, corners(4 - rotations), rotated.width, rotated.height));
    },
  );
});

describe("crop and toGrey", () => {
  it("copies the part of the box that is inside", () => {
    const image = gradient(10, 10);
    const cut = crop(image, { x: 7.6, y: -3, width: 9, height: 5.4 });
    expect(cut).toMatchObject({ width: 2, height: 2 });
    expect(Array.from(cut.data.subarray(0, 3))).toEqual(Array.from(image.data.subarray(24, 27)));
    expect(() => crop(image, { x: 20, y: 0, width: 5, height: 5 })).toThrow(RangeError);
  });

  it("weighs the channels by (77, 150, 29) / 256", () => {
    const grey = toGrey({ width: 2, height: 1, data: Uint8Array.of(255, 0, 0, 10, 20, 30) });
    expect(Array.from(grey.data)).toEqual([76, 18]);
  });
});
