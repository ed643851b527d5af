import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Point, Quad } from "#imaging/image";
import { roomAround } from "./room-around.ts";

const picture = { width: 1600, height: 1200 };
const pitch = 20;

/** The zone of a passport whose first character stands at `at`, turned clockwise by `turn` radians about it. */
const zoneAt = ([x, y]: Point, turn = 0, columns = 44): Quad => {
  const place = (right: number, down: number): Point => [
    x + right * Math.cos(turn) - down * Math.sin(turn),
    y + right * Math.sin(turn) + down * Math.cos(turn),
  ];
  return [place(0, 0), place(columns * pitch, 0), place(columns * pitch, 4 * pitch), place(0, 4 * pitch)];
};
const room = (at: Point, turn = 0) => roomAround({ format: "TD3", quad: zoneAt(at, turn) }, picture);

describe("roomAround", () => {
  it("is the narrowest ground that can be left, in shares of the document's longer side", () => {
    // 80 px left of the zone, of which a pitch at least is the page's: 3 pitches of 2.54 mm.
    expect(room([80, 700])).toBeCloseTo((3 * 2.54) / 125, 6);
    expect(room([300, 1200 - 1 - 6 * pitch])).toBeCloseTo((1 * 2.54) / 125, 6);
  });

  it("is negative where the picture cuts the page on any side", () => {
    const whole: Point = [300, 700];
    expect(room(whole)).toBeGreaterThan(0.05);
    const cuts: readonly Point[] = [
      [15, 700],
      [1600 - 44 * pitch - 10, 700],
      [300, 1200 - 4 * pitch - 10],
      [300, 400],
    ];
    for (const cut of cuts) expect(room(cut)).toBeLessThan(0);
  });

  it("does not change with the picture's turn", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 900 }), fc.integer({ min: 0, max: 1100 }), (x, y) => {
        const turned = (point: Point): Point => [picture.height - 1 - point[1], point[0]];
        const [a, b, c, d] = zoneAt([x, y]);
        const quad: Quad = [a, b, c, d];
        const side = { width: picture.height, height: picture.width };
        const one = roomAround({ format: "TD3", quad }, picture);
        const other = roomAround({ format: "TD3", quad: [turned(a), turned(b), turned(c), turned(d)] }, side);
        expect(other).toBeCloseTo(one!, 6);
      }),
    );
  });

  it("knows nothing of formats of one country", () => {
    expect(roomAround({ format: "FRA-ID", quad: zoneAt([300, 700]) }, picture)).toBeUndefined();
  });
});
