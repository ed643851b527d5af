import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Point, Quad } from "#imaging/image";
import { roomAround } from "./room-around.ts";

const picture = { width: 1600, height: 1200 };
const pitch = 20;

/** The zone of a passport whose first character stands at `at`, seen from above. */
const zoneAt = ([x, y]: Point): Quad => {
  const right = x + 44 * pitch;
  const below = y + 3.9 * pitch;
  return [
    [x, y],
    [right, y],
    [right, below],
    [x, below],
  ];
};
const room = (at: Point) => roomAround({ format: "TD3", quad: zoneAt(at) }, picture)!;

/** Places on a page of 125 x 88 mm, origin at its middle: corners, and the corners of the zone. */
const pageMm: readonly Point[] = [
  [-62.5, -44],
  [62.5, -44],
  [62.5, 44],
  [-62.5, 44],
];
const zoneMm: readonly Point[] = [
  [-57, 27.5],
  [54.8, 27.5],
  [54.8, 37.4],
  [-57, 37.4],
];

/** A page that leans to the camera by degrees about either axis, at 250 mm from its middle, and as much of the frame as lies around it. */
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
  const [one, two, three, four] = zoneMm.map(seen).map(([x, y]): Point => [x - left!, y - top!]);
  const quad: Quad = [one!, two!, three!, four!];
  return roomAround({ format: "TD3", quad }, { width: right! - left!, height: bottom! - top! })!;
};

describe("roomAround", () => {
  it("is the narrowest ground, in shares of the document's longer side", () => {
    // 100 px left of the zone, of which two pitches are the page's: three pitches of 2.54 mm.
    expect(room([100, 700])).toBeCloseTo((3 * 2.54) / 125, 6);
    expect(room([300, 1200 - 1 - 7.5 * pitch])).toBeCloseTo((1 * 2.54) / 125, 6);
  });

  it("is negative where the picture cuts the page on any side", () => {
    expect(room([300, 700])).toBeGreaterThan(0.05);
    const cuts: readonly Point[] = [
      [15, 700],
      [1600 - 44 * pitch - 10, 700],
      [300, 1200 - 4 * pitch - 10],
      [300, 400],
    ];
    for (const cut of cuts) expect(room(cut)).toBeLessThan(-0.02);
  });

  it("tells no whole page cut that leans to the camera by up to 35 degrees", () => {
    const tilt = fc.double({ min: -35, max: 35, noNaN: true });
    fc.assert(
      fc.property(tilt, tilt, fc.double({ min: 0.01, max: 0.3, noNaN: true }), (x, y, ground) => {
        expect(lean(x, y, ground)).toBeGreaterThan(-0.02);
      }),
    );
  });

  it("does not change with the picture's turn", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 700 }), fc.integer({ min: 0, max: 1100 }), (x, y) => {
        const turned = (point: Point): Point => [picture.height - 1 - point[1], point[0]];
        const [a, b, c, d] = zoneAt([x, y]);
        const quad: Quad = [turned(a), turned(b), turned(c), turned(d)];
        const side = { width: picture.height, height: picture.width };
        expect(roomAround({ format: "TD3", quad }, side)).toBeCloseTo(room([x, y]), 6);
      }),
    );
  });

  it("knows nothing of formats of one country", () => {
    expect(roomAround({ format: "FRA-ID", quad: zoneAt([300, 700]) }, picture)).toBeUndefined();
  });
});
