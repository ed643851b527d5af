import { describe, expect, it } from "vitest";
import { crossFit, fitScales, sharesOf } from "./fit-scales.ts";

type Sign = "telling" | "idle";

/** 200 samples: one sign tells the classes apart, the other says the same of both. */
const samples = Array.from({ length: 200 }, (_, i) => {
  const isPositive = i % 2 === 1;
  return {
    isPositive,
    kind: isPositive ? (i % 40 === 1 ? "rare" : "usual") : "",
    weights: new Map<Sign, number>([
      ["telling", isPositive === i % 20 < 18 ? 1 : -1],
      ["idle", i % 4 < 2 ? 1 : -1],
    ]),
  };
});
const weighed = samples.map((sample, i) => ({ ...sample, share: sharesOf(samples, 0.5)[i]! }));
const bounds = { offset: [-4, -0.1] as const, scaleMaxOf: () => 2.5 };
const names: readonly Sign[] = ["telling", "idle"];

describe("fitScales", () => {
  it("scales up what tells the classes apart, down what does not, within the bounds", () => {
    const { offset, scales } = fitScales(weighed, names, bounds, 2000);
    expect(scales.get("telling")).toBeGreaterThan(1.5);
    expect(scales.get("idle")).toBeLessThan(0.7);
    expect(scales.get("idle")).toBeGreaterThanOrEqual(0);
    expect(offset).toBeLessThanOrEqual(-0.1);
    const tight = fitScales(weighed, names, { ...bounds, scaleMaxOf: () => 1.2 }, 2000);
    expect(tight.scales.get("telling")).toBe(1.2);
  });

  it("leaves a sign that no sample shows at 1, or at its bound", () => {
    const signs: readonly (Sign | "unseen")[] = [...names, "unseen"];
    expect(fitScales<Sign | "unseen">(weighed, signs, bounds, 50).scales.get("unseen")).toBe(1);
    const low = { ...bounds, scaleMaxOf: () => 0.4 };
    expect(fitScales<Sign | "unseen">(weighed, signs, low, 50).scales.get("unseen")).toBe(0.4);
  });
});

it("every kind has the same share of its class, however many samples it has", () => {
  const shares = sharesOf(samples, 0.1);
  const sumOf = (kind: string) =>
    shares.reduce((sum, share, i) => sum + (samples[i]!.kind === kind ? share : 0), 0);
  expect([sumOf("rare"), sumOf("usual"), sumOf("")].map((sum) => sum.toFixed(6))).toEqual([
    "0.050000",
    "0.050000",
    "0.900000",
  ]);
});

it("no item is judged by a fit that saw its group", () => {
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
