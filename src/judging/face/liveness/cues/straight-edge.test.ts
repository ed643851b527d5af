import { describe, expect, it } from "vitest";
import { seededRandom } from "#contract/statistics/random";
import type { EdgeMap } from "./edge-map.ts";
import { bestLines, type Line, straightnessOf } from "./straight-edge.ts";

/** Random edges. Of the pixels of row t, `shareOf(t)` have the sign, and a third of these both signs. */
const randomEdges = (random: () => number, sign: 1 | 2, shareOf: (t: number) => number): EdgeMap => {
  const [length, across] = [90, 60];
  const near = Uint8Array.from({ length: length * across }, (_, i) => {
    if (random() >= shareOf(Math.floor(i / across))) return random() < 0.2 ? 3 - sign : 0;
    return random() < 1 / 3 ? 3 : sign;
  });
  return { length, across, near };
};

/** The share of the more frequent sign at every `step`-th t of a line, pixel by pixel. */
const shareAlong = (edges: EdgeMap, line: Line, first: number, last: number, step: number): number => {
  let [bright, dark, places] = [0, 0, 0];
  for (let t = first; t <= last; t += step) {
    places++;
    const at = Math.floor(line.offset + line.slope * (t - line.pivot) + 0.5);
    if (t < 0 || t >= edges.length || at < 1 || at >= edges.across - 1) continue;
    const signs = edges.near[t * edges.across + at]!;
    if (signs === 1 || signs === 3) bright++;
    if (signs === 2 || signs === 3) dark++;
  }
  return places === 0 ? 0 : Math.max(bright, dark) / places;
};

describe("straightnessOf", () => {
  it.each([
    ["bright", 1],
    ["dark", 2],
  ] as const)("counts the pixels of any part of a line, most of them steps to %s", (_name, sign) => {
    const random = seededRandom(sign);
    const between = (low: number, high: number) => low + (high - low) * random();
    const seen = { outside: 0, backwards: 0, positive: 0 };
    for (let run = 0; run < 100; run++) {
      const edges = randomEdges(random, sign, () => 0.5);
      const line = { offset: between(-8, 68), slope: between(-0.42, 0.42), pivot: between(0, 90) };
      const straightness = straightnessOf(edges, line);
      for (let part = 0; part < 20; part++) {
        const [from, to] = [between(-40, 130), between(-40, 130)];
        const margin = 0.1 * (to - from);
        const share = shareAlong(edges, line, Math.round(from + margin), to - margin, 1);
        expect(straightness(from, to)).toBe(share);
        if (to < from) seen.backwards++;
        else if (from < -10 || to > 100) seen.outside++;
        if (share > 0) seen.positive++;
      }
    }
    expect(Math.min(...Object.values(seen))).toBeGreaterThan(400);
  });

  it("is 0 where no pixel lies between the ends", () => {
    const edges = randomEdges(seededRandom(3), 1, () => 1);
    const straightness = straightnessOf(edges, { offset: 30, slope: 0, pivot: 0 });
    expect([straightness(50, 40), straightness(20.6, 20.9), straightness(20, 20)]).toEqual([0, 0, 1]);
  });
});

describe("bestLines", () => {
  /** The slope at an offset with the most edges, of those with enough in both samples; NaN for none. */
  const slopeOneByOne = (edges: EdgeMap, span: { from: number; to: number }, offset: number) => {
    const pivot = (span.from + span.to) / 2;
    let [best, found] = [0, Number.NaN];
    for (let slope = -0.42; slope <= 0.42; slope += 0.02) {
      const line = { offset, slope, pivot };
      const [coarse, fine] = [8, 2].map((step) => shareAlong(edges, line, span.from, span.to, step));
      if (coarse! < 0.4 || fine! < 0.5 || fine! <= best) continue;
      [best, found] = [fine!, slope];
    }
    return found;
  };

  it("has the lines of a search pixel by pixel, where a place is a tie of two pixels as well", () => {
    const random = seededRandom(5);
    const seen = { found: 0, none: 0 };
    for (let run = 0; run < 30; run++) {
      // The pivot is a whole number or a half: slopes of hundredths have places halfway between two pixels.
      const from = Math.floor(20 * random());
      const span = { from, to: from + 40 + Math.floor(25 * random()) };
      const edges = randomEdges(random, run % 2 === 0 ? 1 : 2, (t) => ((t - from) % 8 === 0 ? 0.25 : 0.55));
      for (let offset = 0; offset < 60; offset++) {
        const slopes = bestLines(edges, span, offset, offset).map(({ slope }) => slope);
        const slope = slopeOneByOne(edges, span, offset);
        expect(slopes).toEqual(Number.isNaN(slope) ? [] : [slope]);
        seen[slopes.length > 0 ? "found" : "none"]++;
      }
    }
    expect(Math.min(seen.found, seen.none)).toBeGreaterThan(200);
  });
});
