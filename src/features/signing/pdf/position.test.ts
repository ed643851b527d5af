import { describe, expect, test } from "vitest";
import { placeOnPage } from "./position.ts";

const shape = (rotation: number) => ({ x: 5, y: 7, width: 600, height: 800, rotation });

/** Where a point of the appearance lands on the page: Matrix maps the box onto Rect (ISO 32000-2, 12.5.5). */
const corners = (rotation: number) => {
  const at = placeOnPage(shape(rotation), [10, 20, 110, 60]);
  const [a, b, c, d, e, f] = at.matrix;
  const map = (x: number, y: number) => [a * x + c * y + e + at.rect[0], b * x + d * y + f + at.rect[1]];
  return [map(0, 0), map(at.width, 0)];
};

describe("a position counts from the lower left corner of the page as displayed", () => {
  test.each([
    [0, [15, 27, 115, 67]],
    [90, [545, 17, 585, 117]],
    [180, [495, 747, 595, 787]],
    [270, [25, 697, 65, 797]],
    [-90, [25, 697, 65, 797]],
    [450, [545, 17, 585, 117]],
  ])("with a rotation of %i degrees", (rotation, rect) => {
    expect(placeOnPage(shape(rotation), [10, 20, 110, 60]).rect).toEqual(rect);
  });

  test("the appearance stands upright: its lower left corner is the one of the position", () => {
    expect(corners(0)[0]).toEqual([15, 27]);
    expect(corners(90)[0]).toEqual([585, 17]);
    expect(corners(180)[0]).toEqual([595, 787]);
    expect(corners(270)[0]).toEqual([25, 797]);
  });

  test("the whole page is a position, and a point beyond any edge is not", () => {
    const place =
      (position: readonly [number, number, number, number], rotation = 0) =>
      () =>
        placeOnPage(shape(rotation), position);
    expect(place([0, 0, 600, 800])).not.toThrow();
    expect(place([0, 0, 800, 600], 90)).not.toThrow();
    for (const outside of [
      place([-1, 0, 10, 10]),
      place([0, -1, 10, 10]),
      place([0, 0, 601, 10]),
      place([0, 0, 10, 801]),
      place([0, 0, 601, 801], 90),
      place([10, 10, 10, 20]),
      place([10, 20, 20, 20]),
      place([20, 20, 10, 10]),
      place([0, 0, Number.NaN, 10]),
    ])
      expect(outside).toThrow(expect.objectContaining({ code: "pdf_position_outside" }));
  });

  test("has 20 by 10 points as displayed at least, and not a tenth less", () => {
    const place = (x: number, y: number, rotation: number) => () =>
      placeOnPage(shape(rotation), [10, 20, 10 + x, 20 + y]);
    for (const rotation of [0, 90]) {
      expect(place(20, 10, rotation)).not.toThrow();
      for (const [x, y] of [
        [19.9, 10],
        [20, 9.9],
        [1, 1],
        [10, 20],
      ] as const)
        expect(place(x, y, rotation)).toThrow(
          expect.objectContaining({
            code: "pdf_position_small",
            facts: {
              position: `10,20,${10 + x},${20 + y}`,
              width: x,
              height: y,
              widthMin: 20,
              heightMin: 10,
            },
          }),
        );
    }
  });
});
