import fc from "fast-check";
import { expect, it } from "vitest";
import type { GreyImage } from "#machine/imaging/image";
import { fillGaps, removeThinStrokes } from "./morphology.ts";

/** A white image with dark columns. */
const columns = (...dark: readonly number[]): GreyImage => {
  const [width, height] = [12, 5];
  const data = new Uint8Array(width * height).fill(255);
  for (let y = 0; y < height; y++) for (const x of dark) data[y * width + x] = 10;
  return { width, height, data };
};
const darkIn = ({ width, data }: GreyImage) =>
  Array.from({ length: width }, (_, x) => x).filter((x) => data[2 * width + x]! < 128);

it("removes strokes of two radii, and keeps wider ones as they are", () => {
  expect(darkIn(removeThinStrokes(columns(3, 4), 1))).toEqual([]);
  expect(darkIn(removeThinStrokes(columns(3, 4, 5), 1))).toEqual([3, 4, 5]);
});

it("fills gaps of two radii, and keeps wider ones as they are", () => {
  expect(darkIn(fillGaps(columns(3, 6), 1))).toEqual([3, 4, 5, 6]);
  expect(darkIn(fillGaps(columns(3, 7), 1))).toEqual([3, 7]);
});

/** The same image with rows and columns exchanged. */
const transposed = ({ width, height, data }: GreyImage): GreyImage => ({
  width: height,
  height: width,
  data: Uint8Array.from(
    { length: data.length },
    (_, i) => data[(i % height) * width + Math.floor(i / height)]!,
  ),
});

it("is the same along rows and columns", () => {
  for (const change of [removeThinStrokes, fillGaps])
    for (const image of [columns(3, 4, 5, 9), columns(0, 3, 11)])
      expect(change(transposed(image), 1)).toEqual(transposed(change(image, 1)));
});

/** The darkest or brightest of the window around each pixel, pixel by pixel. */
const windowed = (image: GreyImage, radius: number, pick: (...levels: number[]) => number): GreyImage => {
  const { width, height, data } = image;
  const near = (at: number, end: number) =>
    Array.from({ length: 2 * radius + 1 }, (_, i) => at - radius + i).filter((i) => i >= 0 && i < end);
  const levelAt = (x: number, y: number) =>
    pick(...near(y, height).flatMap((row) => near(x, width).map((column) => data[row * width + column]!)));
  return { width, height, data: data.map((_, i) => levelAt(i % width, Math.floor(i / width))) };
};

it("takes the darkest and the brightest of the whole window, also where it exceeds the image", () => {
  const image = fc
    .tuple(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 9 }))
    .chain(([width, height]) =>
      fc
        .uint8Array({ minLength: width * height, maxLength: width * height })
        .map((data) => ({ width, height, data })),
    );
  fc.assert(
    fc.property(image, fc.integer({ min: 0, max: 4 }), (drawn, radius) => {
      const brightened = windowed(drawn, radius, Math.max);
      const darkened = windowed(drawn, radius, Math.min);
      expect(removeThinStrokes(drawn, radius)).toEqual(windowed(brightened, radius, Math.min));
      expect(fillGaps(drawn, radius)).toEqual(windowed(darkened, radius, Math.max));
    }),
  );
});
