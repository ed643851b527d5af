import { describe, expect, it } from "vitest";
import type { Quad } from "#imaging/image";
import { isTrusted, mayReplaceFrame } from "./located-card.ts";

const image = { width: 1001, height: 501 };
const cardTo = (right: number, score: number) => {
  const quad: Quad = [
    [0, 0],
    [right, 0],
    [right, 500],
    [0, 500],
  ];
  return { quad, score };
};

describe("a located card", () => {
  it("is trusted from a score of .9 on", () => {
    expect([0.9, 0.899].map((score) => isTrusted({ score }))).toEqual([true, false]);
    expect(isTrusted(undefined)).toBe(false);
  });

  it("may replace the frame from a score of .6 on", () => {
    expect([0.6, 0.599].map((score) => mayReplaceFrame(cardTo(900, score), image))).toEqual([true, false]);
  });

  it("may not when the frame cuts it, unless it is trusted", () => {
    // 2 % of the shorter side are 10.02 px beyond the last pixel.
    expect([1010, 1011].map((right) => mayReplaceFrame(cardTo(right, 0.8), image))).toEqual([true, false]);
    expect(mayReplaceFrame(cardTo(1100, 0.9), image)).toBe(true);
  });
});
