import { describe, expect, it } from "vitest";
import type { Quad } from "#machine/imaging/image";
import { mapsOf } from "#support/document/card-maps";
import { chooseLook, chooseResult, cropAround } from "./closer-search.ts";
import { findRegions } from "./map-regions.ts";

const rectangle = (x: number, y: number, width: number, height: number): Quad => [
  [x, y],
  [x + width, y],
  [x + width, y + height],
  [x, y + height],
];
const image = { width: 400, height: 640, data: new Uint8Array(0) };
const partAround = (quad: Quad, of = image) => {
  const maps = mapsOf(40, 64, [quad]);
  return cropAround(findRegions(maps)[0]!, maps, of);
};

describe("the crop of an image for the closer search", () => {
  it("contains a small card and its surroundings, in pixels of the image", () => {
    const part = partAround(rectangle(10, 20, 15, 9));
    expect(part?.x).toBeGreaterThan(60);
    expect(part?.x).toBeLessThan(100);
    expect(part?.y).toBeLessThan(200);
    expect(part && part.x + part.width).toBeGreaterThan(250);
    expect(part && part.y + part.height).toBeLessThan(350);
  });

  it("ends at the image's edges", () => {
    expect(partAround(rectangle(0, 0, 15, 9))).toMatchObject({ x: 0, y: 0 });
  });

  it("is undefined when the card fills most of the image", () => {
    expect(partAround(rectangle(2, 8, 36, 48))).toBeUndefined();
  });

  it("is undefined when it contains no pixel", () => {
    expect(partAround(rectangle(1, 2, 15, 9), { ...image, width: 1, height: 1 })).toBeUndefined();
    expect(partAround(rectangle(1, 2, 15, 20), { ...image, height: 1 })).toBeUndefined();
  });
});

const near = rectangle(100, 100, 200, 120);
const far = rectangle(103, 100, 200, 120);
const apart = rectangle(10, 10, 60, 40);

describe("two looks at one card", () => {
  const first = { quad: far, score: 1.1 };

  it.each([
    [0.79, first],
    [0.81, { quad: near, score: 0.81 }],
    [1.2, { quad: near, score: 1.2 }],
  ])("prefer the closer one unless its score is clearly lower: %d", (score, chosen) => {
    expect(chooseLook(first, { quad: near, score })).toEqual(chosen);
  });

  it("are one where only one shows a card", () => {
    expect(chooseLook(first, undefined)).toBe(first);
    expect(chooseLook(undefined, first)).toBe(first);
    expect(chooseLook(undefined, undefined)).toBeUndefined();
  });
});

describe("two searches for lines of one card", () => {
  it("take the corners of the closer search and keep the score of a card that was found before", () => {
    expect(chooseResult({ quad: far, score: 0.7 }, { quad: near, score: 1.2 })).toEqual({
      quad: near,
      score: 0.7,
    });
  });

  it("never make a card trusted", () => {
    for (const first of [{ quad: apart, score: 0.5 }, undefined]) {
      expect(chooseResult(first, { quad: near, score: 1.2 })?.score).toBeLessThan(1);
    }
  });

  it("keep the first when the second scores lower, or finds none", () => {
    const first = { quad: apart, score: 0.8 };
    expect(chooseResult(first, { quad: near, score: 0.6 })).toBe(first);
    expect(chooseResult(first, undefined)).toBe(first);
  });
});
