import { describe, expect, it } from "vitest";
import type { Image } from "#machine/imaging/image";
import { painted, plain } from "./canvas.ts";
import { printLinesOver, printPortrait, rasterise } from "./print-portrait.ts";

const place = { x: 60, y: 40, width: 140, height: 180 } as const;

/** Paper with stripes of 10 pixels. */
const striped = (): Image =>
  painted(320, 260, (x) => (Math.floor(x / 5) % 2 === 0 ? [200, 220, 230] : [240, 220, 210]));

/** A dark head before a plain, grey background. */
const portrait = painted(70, 90, (x, y) =>
  Math.hypot((x - 35) / 20, (y - 45) / 28) < 1 ? [60, 40, 30] : [168, 170, 172],
);

const red = ({ data, width }: Image, x: number, y: number): number => data[(y * width + x) * 3]!;

const contrastOfStripes = (side: Image, x: number, y: number): number =>
  Math.abs(red(side, x, y) - red(side, x + 5, y));

describe("a printed portrait", () => {
  it("lets the print of the card through its light parts, on both sides of its border alike", () => {
    const side = striped();
    printPortrait(side, portrait, { ink: "colour", place });
    const [inside, outside] = [contrastOfStripes(side, 72, 60), contrastOfStripes(side, 32, 60)];
    expect(outside).toBe(40);
    expect(inside).toBeGreaterThan(0.5 * outside);
  });

  it("covers the print of the card where it is dark", () => {
    const side = striped();
    printPortrait(side, portrait, { ink: "colour", place });
    expect(contrastOfStripes(side, 130, 130)).toBeLessThan(16);
    expect(red(side, 130, 130)).toBeLessThan(110);
  });

  it("has no step at its border, and ends there", () => {
    const side = plain(320, 260, [230, 230, 230]);
    printPortrait(side, portrait, { ink: "colour", place });
    const steps = Array.from({ length: 30 }, (_, i) =>
      Math.abs(red(side, place.x - 10 + i, 60) - red(side, place.x - 9 + i, 60)),
    );
    expect(Math.max(...steps)).toBeLessThan(6);
    expect(red(side, place.x - 1, 60)).toBe(230);
    expect(red(side, place.x + place.width, 60)).toBe(230);
  });

  it("takes all colours away alike where a laser engraves it", () => {
    const side = plain(320, 260, [200, 200, 200]);
    printPortrait(
      side,
      painted(70, 90, () => [200, 40, 40]),
      { ink: "black", place },
    );
    const at = (130 * side.width + 130) * 3;
    const [first, second, third] = side.data.subarray(at, at + 3);
    expect([second, third]).toEqual([first, first]);
    expect(first).toBeLessThan(180);
  });

  it("is paler as a ghost", () => {
    const [main, ghost] = [striped(), striped()];
    printPortrait(main, portrait, { ink: "black", place });
    printPortrait(ghost, portrait, { ink: "black", place, density: 0.5 });
    expect(red(ghost, 130, 130)).toBeGreaterThan(red(main, 130, 130) + 40);
  });
});

it("draws lines over a portrait that cross its border", () => {
  const side = plain(320, 260, [230, 230, 230]);
  printLinesOver(side, place, 6, 3);
  const isCrossed = (x: number): boolean =>
    Array.from({ length: place.height }, (_, y) => red(side, x, place.y + y)).some((value) => value < 222);
  expect([place.x - 6, place.x, place.x + 12].map(isCrossed)).toEqual([true, true, true]);
});

it("gives a raster to middle tones alone, the same for the same seed", () => {
  const [grey, again, other, white] = [128, 128, 128, 255].map((tone) => plain(40, 40, [tone, tone, tone]));
  rasterise(grey!, 1);
  rasterise(again!, 1);
  rasterise(other!, 2);
  rasterise(white!, 1);
  expect(new Set(grey!.data).size).toBeGreaterThan(6);
  expect(again!.data).toEqual(grey!.data);
  expect(other!.data).not.toEqual(grey!.data);
  expect(new Set(white!.data)).toEqual(new Set([255]));
});
