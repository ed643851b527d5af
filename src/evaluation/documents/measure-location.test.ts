import { describe, expect, it } from "vitest";
import type { Quad } from "#machine/imaging/image";
import { type LocatedImage, summariseLocation } from "./measure-location.ts";

const box = (x: number, y: number, width: number, height: number): Quad => [
  [x, y],
  [x + width, y],
  [x + width, y + height],
  [x, y + height],
];
const truth = box(10, 10, 100, 60);

const images: readonly LocatedImage[] = [
  { truth, found: { quad: truth, score: 1.2 }, ms: 10 },
  // 80 of 100 columns are shared: IoU .8.
  { truth, found: { quad: box(10, 10, 80, 60), score: 1.2 }, ms: 20 },
  { truth, found: { quad: box(300, 10, 100, 60), score: 0.5 }, ms: 30 },
  { truth, ms: 40 },
  { truth: null, found: { quad: truth, score: 0.9 }, ms: 50 },
  { truth: null, ms: 60 },
];

describe("summariseLocation", () => {
  const report = summariseLocation(images, [0, 1]);

  it("counts right, nearly right and missed places among the images with a card", () => {
    expect(report).toMatchObject({
      pictures: 6,
      over90: { count: 1, n: 4, share: 0.25 },
      over75: { count: 2, n: 4 },
      refused: { count: 1, n: 4 },
      ms: { median: 30, p95: 60 },
    });
    expect(report.over90.bounds.low).toBeCloseTo(0.0063, 4);
    expect(report.over90.bounds.high).toBeCloseTo(0.8059, 4);
  });

  it("reports the right, the wrong and the false cards that a gate accepts", () => {
    expect(report.gates).toMatchObject([
      { score: 0, accepted: { count: 3, n: 4 }, right: { count: 1, n: 3 }, falseCards: { count: 1, n: 2 } },
      { score: 1, accepted: { count: 2, n: 4 }, right: { count: 1, n: 2 }, falseCards: { count: 0, n: 2 } },
    ]);
  });

  it("returns null if there is nothing to count", () => {
    const empty = summariseLocation([], [0]);
    expect(empty).toMatchObject({ over90: { share: null, n: 0 }, medianIou: null, ms: { median: null } });
  });
});
