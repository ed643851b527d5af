import { describe, expect, it } from "vitest";
import { letterIn } from "./single-letter.ts";

type Patch = readonly [x: number, y: number, width: number, height: number];

/** Patches of ink on paper of level 200. */
const paperWith = (patches: readonly Patch[], ink = 40) => {
  const [width, height] = [300, 120];
  const data = new Uint8Array(width * height).fill(200);
  for (const [x, y, wide, high] of patches) {
    for (let row = y; row < y + high; row++) data.fill(ink, row * width + x, row * width + x + wide);
  }
  return { data, width, height };
};
const place = { x: 100, y: 40, width: 80, height: 40 };
const letter = [130, 50, 14, 20] as const;
const found = (patches: readonly Patch[], ink?: number) => letterIn(paperWith(patches, ink), place);

describe("letterIn", () => {
  it("finds a letter, wherever it stands in its place", () => {
    expect(found([letter])).toEqual({ x: 130, y: 50, width: 14, height: 20 });
    expect(found([[101, 59, 14, 20]])).toEqual({ x: 101, y: 59, width: 14, height: 20 });
    expect(letterIn(paperWith([[2, 2, 14, 20]]), { ...place, x: -20, y: -10 })).toMatchObject({ x: 2, y: 2 });
  });

  it("finds nothing on paper, on a pale pattern and beyond the image", () => {
    expect(found([])).toBeUndefined();
    expect(found([letter], 176)).toBeUndefined();
    expect(found([letter], 174)).toBeDefined();
    expect(letterIn(paperWith([letter]), { ...place, x: 295 })).toBeUndefined();
  });

  it("needs the form of a letter: neither a speck nor a bar", () => {
    expect(found([[130, 50, 9, 9]])).toBeUndefined();
    expect(found([[130, 50, 9, 10]])).toBeDefined();
    expect(found([[130, 50, 29, 20]])).toBeUndefined();
    expect(found([[130, 50, 28, 20]])).toBeDefined();
    expect(found([[130, 42, 20, 37]])).toBeUndefined();
    expect(found([[130, 42, 20, 36]])).toBeDefined();
  });

  it("finds no letter that goes on beyond its place, and none in a word", () => {
    expect(found([[95, 50, 14, 20]])).toBeUndefined();
    expect(found([letter, [150, 55, 8, 11]])).toBeUndefined();
    // A point or an accent is no second letter.
    expect(found([letter, [150, 55, 8, 10]])).toBeDefined();
  });
});
