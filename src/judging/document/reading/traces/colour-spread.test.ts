import { describe, expect, it } from "vitest";
import { normalDeviate, seededRandom } from "#contract/statistics/random";
import type { Image } from "#machine/imaging/image";
import { drawBlankCard } from "#sandbox/specimen/cards/blank-card";
import { measureColourSpread } from "./colour-spread.ts";

const [width, height] = [512, 341];
const card = drawBlankCard(width, height, 4);

const painted = (
  image: Image,
  paint: (rgb: readonly number[], x: number, y: number) => readonly number[],
): Image => {
  const data = new Uint8ClampedArray(image.data.length);
  for (let i = 0; i < data.length; i += 3) {
    const at = i / 3;
    data.set(paint([...image.data.subarray(i, i + 3)], at % width, Math.floor(at / width)), i);
  }
  return { ...image, data: new Uint8Array(data.buffer) };
};

/** Security print in colour: two families of lines. */
const colourful = painted(card, ([r = 0, g = 0, b = 0], x, y) => [
  r - 40 * Math.max(0, Math.sin(x / 9 + y / 31)),
  g - 30 * Math.max(0, Math.sin(y / 7 - x / 23)),
  b - 10 * Math.sin(x / 15),
]);
const grey = (image: Image): Image =>
  painted(image, ([r = 0, g = 0, b = 0]) => Array(3).fill(0.3 * r + 0.59 * g + 0.11 * b));

/** A warm lamp from one side, shadow and sensor noise. */
const underLamp = (image: Image, seed: number): Image => {
  const random = seededRandom(seed);
  return painted(image, (rgb, x, y) => {
    const light = 0.9 - 0.35 * (x / width) - 0.1 * (y / height);
    return [1.15, 1, 0.75].map((tint, channel) => rgb[channel]! * tint * light + 2 * normalDeviate(random));
  });
};

const second = (image: Image): number => measureColourSpread(image)?.second ?? Number.NaN;

describe("the second axis of a card's colour", () => {
  it("is wide for a card in colour and narrow for its grey copy, under a coloured lamp too", () => {
    expect(second(colourful)).toBeGreaterThan(2);
    expect(second(underLamp(colourful, 1))).toBeGreaterThan(2);
    expect(second(grey(colourful))).toBeLessThan(0.1);
    expect(second(underLamp(grey(colourful), 1))).toBeLessThan(0.8);
  });

  it("stays narrow with a red pen and a hand on a copy", () => {
    const covered = painted(underLamp(grey(colourful), 2), (rgb, x, y) =>
      (x > 380 && y > 250) || Math.abs(y - 60) < 4 ? [190, 60 + (x % 20), 50] : rgb,
    );
    expect(second(covered)).toBeLessThan(0.8);
  });

  it("is not measured on an overexposed card", () => {
    expect(measureColourSpread(painted(colourful, () => [255, 255, 255]))).toBeUndefined();
  });
});
