import { describe, expect, it } from "vitest";
import type { Image } from "#machine/imaging/image";
import { photograph } from "#support/document/photograph";
import { measureGridPattern } from "./grid-pattern.ts";

/** Curved lines of changing distance, as in security print, on an uneven background. */
const [width, height] = [900, 600];
const plain: Image = {
  width,
  height,
  data: Uint8Array.from({ length: width * height * 3 }, (_, i) => {
    const [x, y] = [Math.floor(i / 3) % width, Math.floor(i / 3 / width)];
    const curve = y / 13 + 9 * Math.sin(x / 170 + y / 90) + (x * y) / 60_000;
    return 190 + 25 * Math.sin(curve) + 12 * Math.sin(x / 41 + (y * y) / 30_000) + 4 * (i % 3);
  }),
};
const shot = {
  width: 1000,
  height: 760,
  share: 0.9,
  rotationDegrees: 3,
  tilt: 0.02,
  blurPx: 0.6,
  noise: 3,
  light: 0.2,
  seed: 5,
};
const seen = photograph(plain, shot).image;

/** The same scene with the interference of screen and sensor pixels, rotated and `period` px wide. */
const onScreen = (image: Image, period: number): Image => {
  const data = Uint8Array.from(image.data, (value, i) => {
    const [x, y] = [((i / 3) % image.width) | 0, (i / 3 / image.width) | 0];
    const grid =
      Math.cos((2 * Math.PI * (x + 0.3 * y)) / period) + Math.cos((2 * Math.PI * (y - 0.3 * x)) / period);
    return Math.max(0, Math.min(255, value * (1 + 0.06 * grid)));
  });
  return { ...image, data };
};

const whole = (image: Image) => ({ x: 0, y: 0, width: image.width, height: image.height });

const peaks = (image: Image): number => measureGridPattern(image, whole(image))?.peaks ?? Number.NaN;

describe("the fine pattern of a card", () => {
  it("has no peaks in a photograph of security print", () => {
    expect(peaks(seen)).toBeLessThan(20);
  });

  it.each([2.7, 4.3, 6.1])("has peaks under a grid of %d px", (period) => {
    expect(peaks(onScreen(seen, period))).toBeGreaterThan(33.5);
  });

  it("is not measured on a card smaller than a tile", () => {
    expect(measureGridPattern(seen, { x: 20, y: 20, width: 300, height: 200 })).toBeUndefined();
    expect(measureGridPattern(seen, { x: -900, y: 0, width: 300, height: 600 })).toBeUndefined();
  });

  it("comes from the box of the card alone", () => {
    const half = { ...whole(seen), width: 520 };
    const { data } = onScreen(seen, 4.3);
    const beside = seen.data.map((value, i) => ((i / 3) % seen.width < 520 ? value : data[i]!));
    expect(measureGridPattern({ ...seen, data: beside }, half)).toEqual(measureGridPattern(seen, half));
  });

  it("is the median of its tiles, whether two share a transform or one is alone", () => {
    const image = onScreen(seen, 4.3);
    const apart = [0, 372, 744].map((x) => measureGridPattern(image, { x, y: 22, width: 256, height: 256 }));
    const together = measureGridPattern(image, { x: 0, y: 0, width: 1000, height: 300 });
    expect([...apart, together].map((found) => found?.tiles)).toEqual([1, 1, 1, 3]);
    expect(together?.peaks).toBeCloseTo(apart.map((found) => found!.peaks).toSorted((a, b) => a - b)[1]!, 9);
  });

  it("keeps the figure that a transform of the tile by itself gave", () => {
    const box = { x: 300, y: 200, width: 256, height: 256 };
    expect(measureGridPattern(onScreen(seen, 4.3), box)?.peaks).toBeCloseTo(118.3949076, 6);
  });
});
