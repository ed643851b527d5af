import { describe, expect, it } from "vitest";
import { seededRandom } from "#contract/statistics/random";
import { inverse, pixelsAwayFrom, pixelsIn, spread, toBytes } from "./bit-area.ts";

const random = seededRandom(11);
const greyOf = (width: number, height: number) => ({
  width,
  height,
  data: Uint8Array.from({ length: width * height }, () =>
    random() < 0.98 ? 99 + 3 * random() : 255 * random(),
  ),
});

/** Pixel by pixel. */
const spreadPlainly = (flags: Uint8Array, width: number, height: number, radius: number) =>
  flags.map((_, i) => {
    const [x, y] = [i % width, Math.floor(i / width)];
    for (let v = Math.max(0, y - radius); v <= Math.min(height - 1, y + radius); v++) {
      for (let u = Math.max(0, x - radius); u <= Math.min(width - 1, x + radius); u++) {
        if (flags[v * width + u] === 1) return 1;
      }
    }
    return 0;
  });

const ones = (flags: Uint8Array): number => flags.reduce((sum, flag) => sum + flag, 0);

describe.each([1, 31, 32, 33, 64, 75])("an area of an image of width %i", (width) => {
  const grey = greyOf(width, 37);
  const flags = grey.data.map((value) => (Math.abs(value - 100) > 1 ? 1 : 0));
  const area = pixelsAwayFrom(grey, 100, 1);

  it("has the pixels of another level than the given one", () => {
    expect(toBytes(area)).toEqual(flags);
    expect(pixelsIn(area)).toBe(ones(flags));
  });

  it("has, inverted, the other pixels and none beyond the width", () => {
    const others = flags.map((flag) => 1 - flag);
    expect(toBytes(inverse(area))).toEqual(others);
    expect(pixelsIn(inverse(area))).toBe(ones(others));
  });

  it.each([0, 1, 2, 5, 14, 31])("spreads to all pixels within %i rows and columns", (radius) => {
    const wide = spread(area, radius);
    const wanted = spreadPlainly(flags, width, 37, radius);
    expect(toBytes(wide)).toEqual(wanted);
    expect(pixelsIn(wide)).toBe(ones(wanted));
  });
});
