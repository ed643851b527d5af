import { describe, expect, it } from "vitest";
import type { Quad } from "#imaging/image";
import { mapsOf } from "../testing/card-maps.ts";
import { chooseLook, surroundingsOf } from "./closer-look.ts";
import { findRegions } from "./map-regions.ts";

const rectangle = (x: number, y: number, width: number, height: number): Quad => [
  [x, y],
  [x + width, y],
  [x + width, y + height],
  [x, y + height],
];
const picture = { width: 400, height: 640, data: new Uint8Array(0) };
const partAround = (quad: Quad, of = picture) => {
  const maps = mapsOf(40, 64, [quad]);
  return surroundingsOf(findRegions(maps)[0]!, maps, of);
};

describe("the part of a picture that is looked at from nearby", () => {
  it("holds a small card and some of what lies around it, in pixels of the picture", () => {
    const part = partAround(rectangle(10, 20, 15, 9));
    expect(part?.x).toBeGreaterThan(60);
    expect(part?.x).toBeLessThan(100);
    expect(part?.y).toBeLessThan(200);
    expect(part && part.x + part.width).toBeGreaterThan(250);
    expect(part && part.y + part.height).toBeLessThan(350);
  });

  it("ends at the picture's edges", () => {
    expect(partAround(rectangle(0, 0, 15, 9))).toMatchObject({ x: 0, y: 0 });
  });

  it("is not asked for where the card takes most of the picture", () => {
    expect(partAround(rectangle(2, 8, 36, 48))).toBeUndefined();
  });

  it("is not asked for where no pixel is in it", () => {
    expect(partAround(rectangle(1, 2, 15, 9), { ...picture, width: 1, height: 1 })).toBeUndefined();
    expect(partAround(rectangle(1, 2, 15, 20), { ...picture, height: 1 })).toBeUndefined();
  });
});

describe("two looks at a card", () => {
  const near = rectangle(100, 100, 200, 120);
  const far = rectangle(103, 100, 200, 120);
  const elsewhere = rectangle(10, 10, 60, 40);

  it("take the corners from nearby and leave the score of a card that was seen before", () => {
    expect(chooseLook({ quad: far, score: 0.7 }, { quad: near, score: 1.2 })).toEqual({
      quad: near,
      score: 0.7,
    });
  });

  it("never make a card trusted", () => {
    expect(chooseLook({ quad: elsewhere, score: 0.5 }, { quad: near, score: 1.2 }).score).toBeLessThan(1);
    expect(chooseLook(undefined, { quad: near, score: 1.2 }).score).toBeLessThan(1);
  });

  it("keep the first where the second is worth less", () => {
    const first = { quad: elsewhere, score: 0.8 };
    expect(chooseLook(first, { quad: near, score: 0.6 })).toBe(first);
  });
});
