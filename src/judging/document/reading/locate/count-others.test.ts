import { describe, expect, it } from "vitest";
import type { Quad } from "#machine/imaging/image";
import { countOthers } from "./count-others.ts";

const card = (x: number, y: number, score: number, width = 200) => {
  const height = width * 0.63;
  const quad: Quad = [
    [x, y],
    [x + width, y],
    [x + width, y + height],
    [x, y + height],
  ];
  return { quad, score };
};

describe("cards in one image", () => {
  it("are counted when they are apart", () => {
    expect(countOthers([card(0, 0, 1), card(0, 160, 0.7), card(260, 0, 0.9)])).toBe(2);
  });

  it("are not counted when they touch, as the pages of a passport do", () => {
    expect(countOthers([card(0, 0, 1), card(0, 127, 1)])).toBe(0);
    expect(countOthers([card(0, 0, 1), card(20, 20, 1)])).toBe(0);
  });

  it("are not counted when one is far smaller, or neither is reliable", () => {
    expect(countOthers([card(0, 0, 1), card(260, 0, 1, 60)])).toBe(0);
    expect(countOthers([card(0, 0, 0.75), card(260, 0, 0.75)])).toBe(0);
    expect(countOthers([card(0, 0, 1), card(260, 0, 0.5)])).toBe(0);
  });

  it("are zero when no card was found", () => {
    expect(countOthers([])).toBe(0);
    expect(countOthers([undefined, card(0, 0, 1)])).toBe(0);
  });
});
