import { describe, expect, test } from "vitest";
import { seededRandom } from "#contract/statistics/random";
import type { EdgeMap } from "./edge-map.ts";
import { makeLineVotes } from "./line-votes.ts";

const random = seededRandom(7);
const edges: EdgeMap = {
  length: 60,
  across: 50,
  near: Uint8Array.from({ length: 60 * 50 }, () => (random() < 0.6 ? 0 : Math.floor(4 * random()))),
};

/** Pixel by pixel, in the order of the sums that a line is defined by. */
const countAlong = (offset: number, slope: number, pivot: number, from: number, to: number): number => {
  let [bright, dark] = [0, 0];
  for (let t = from; t <= to; t += 2) {
    const at = Math.floor(offset + slope * (t - pivot) + 0.5);
    const signs = t < 0 || t >= 60 || at < 1 || at >= 49 ? 0 : edges.near[t * 50 + at]!;
    bright += signs & 1;
    dark += signs >> 1;
  }
  return Math.max(bright, dark);
};

const slopes = Array.from({ length: 43 }, (_, i) => 0.02 * (i - 21));

const excesses = (from: number, to: number, pivot: number): readonly number[] => {
  const offsets = { low: -3, count: 60, pivot, slopeMax: 0.43 };
  const { ofSlope } = makeLineVotes(edges, { from, to, step: 2 }, offsets);
  return slopes.flatMap((slope) =>
    Array.from(ofSlope(slope), (votes, i) => votes - countAlong(i - 3, slope, pivot, from, to)),
  );
};

describe("makeLineVotes", () => {
  test("counts the edges along every line, inside and outside the map", () => {
    expect(new Set(excesses(5, 51, 27.9137))).toEqual(new Set([0]));
    expect(new Set(excesses(-9, 72, 31.1371))).toEqual(new Set([0]));
    expect(new Set(excesses(2, 50, 9.1371))).toEqual(new Set([0]));
  });

  test("counts too many where pixels are ties, never too few", () => {
    const seen = excesses(0, 59, 29.5);
    expect(Math.min(...seen)).toBe(0);
    expect(Math.max(...seen)).toBeGreaterThan(0);
  });

  test("states the number of sampled pixels", () => {
    const offsets = { low: 0, count: 1, pivot: 0, slopeMax: 0 };
    expect(makeLineVotes(edges, { from: 3, to: 9, step: 2 }, offsets).places).toBe(4);
    expect(makeLineVotes(edges, { from: 3, to: 8.9, step: 2 }, offsets).places).toBe(3);
    expect(makeLineVotes(edges, { from: 3, to: 2, step: 2 }, offsets).places).toBe(0);
  });
});
