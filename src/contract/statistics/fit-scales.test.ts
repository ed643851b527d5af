import { describe, expect, it } from "vitest";
import { crossFit, fitScales, sharesOf } from "./fit-scales.ts";

type Cue = "useful" | "useless";

/** 200 samples: one cue separates the classes, the other does not. */
const samples = Array.from({ length: 200 }, (_, i) => {
  const isPositive = i % 2 === 1;
  return {
    isPositive,
    kind: isPositive ? (i % 40 === 1 ? "rare" : "usual") : "",
    weights: new Map<Cue, number>([
      ["useful", isPositive === i % 20 < 18 ? 1 : -1],
      ["useless", i % 4 < 2 ? 1 : -1],
    ]),
  };
});
const weighed = samples.map((sample, i) => ({ ...sample, share: sharesOf(samples, 0.5)[i]! }));
const bounds = { offset: [-4, -0.1] as const, scaleMaxOf: () => 2.5 };
const names: readonly Cue[] = ["useful", "useless"];

describe("fitScales", () => {
  it("scales up a cue that separates the classes and scales down the others, within the bounds", () => {
    const { offset, scales } = fitScales(weighed, names, bounds, 2000);
    expect(scales.get("useful")).toBeGreaterThan(1.5);
    expect(scales.get("useless")).toBeLessThan(0.7);
    expect(scales.get("useless")).toBeGreaterThanOrEqual(0);
    expect(offset).toBeLessThanOrEqual(-0.1);
    const tight = fitScales(weighed, names, { ...bounds, scaleMaxOf: () => 1.2 }, 2000);
    expect(tight.scales.get("useful")).toBe(1.2);
  });

  it("leaves a cue without samples at 1, or at its bound", () => {
    const cues: readonly (Cue | "unseen")[] = [...names, "unseen"];
    expect(fitScales<Cue | "unseen">(weighed, cues, bounds, 50).scales.get("unseen")).toBe(1);
    const low = { ...bounds, scaleMaxOf: () => 0.4 };
    expect(fitScales<Cue | "unseen">(weighed, cues, low, 50).scales.get("unseen")).toBe(0.4);
  });
});

it("every kind has the same share of its class, independent of its number of samples", () => {
  const shares = sharesOf(samples, 0.1);
  const sumOf = (kind: string) =>
    shares.reduce((sum, share, i) => sum + (samples[i]!.kind === kind ? share : 0), 0);
  expect([sumOf("rare"), sumOf("usual"), sumOf("")].map((sum) => sum.toFixed(6))).toEqual([
    "0.050000",
    "0.050000",
    "0.900000",
  ]);
});

it("no fit includes the group of its item", () => {
  const items = ["a1", "a2", "b1", "c1", "d1", "b2", "e1"];
  const fits = crossFit(
    items,
    (item) => item[0]!,
    3,
    (others) => others.map((item) => item[0]!),
  );
  expect(fits).toHaveLength(items.length);
  for (const [i, seen] of fits.entries()) expect(seen).not.toContain(items[i]![0]);
});
