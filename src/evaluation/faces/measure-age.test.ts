import { describe, expect, it } from "vitest";
import { type AgeCase, isFirstHalf, reportAges } from "./measure-age.ts";

/** Ages whose errors are -50 … 49 in each half, so that every quantile is known. */
const casesOf = (isFirst: boolean): readonly AgeCase[] => {
  const names = Array.from({ length: 1000 }, (_, i) => `face-${i}.jpg`);
  return names
    .filter((path) => isFirstHalf({ path }) === isFirst)
    .slice(0, 100)
    .map((path, i) => ({ path, age: 60 + i - 50, estimate: 60 }));
};
const bands = [
  { from: 0, to: 60 },
  { from: 60, to: 70 },
];

describe("the report of age estimates", () => {
  const cases = [...casesOf(true), ...casesOf(false)];
  const report = reportAges({ cases, bands, intervalOf: () => ({ from: 20, to: 99 }) });

  it("takes the margins of each band from the first half alone", () => {
    expect(report.margins).toEqual([{ from: 60, to: 70, n: 100, low: -46, high: 45 }]);
    const second = reportAges({ cases: casesOf(false), bands, intervalOf: () => undefined });
    expect(second.margins).toEqual([]);
  });

  it("counts the true ages within the interval, both ends included", () => {
    const [first, second, band] = report.coverage;
    expect(first).toMatchObject({ name: "first half", covered: { rate: 0.8, n: 100 }, without: 0 });
    expect(second).toMatchObject({ name: "second half", covered: { rate: 0.8, n: 100 } });
    expect(band).toMatchObject({ name: "second half, estimate 60 to under 70", covered: { n: 100 } });
    expect(report).toMatchObject({ n: 200, error: 25, width: 79 });
  });

  it("leaves out faces without an interval, and counts them", () => {
    const none = reportAges({ cases, bands, intervalOf: () => undefined });
    expect(none.coverage[0]).toMatchObject({ covered: { n: 0 }, without: 100 });
    expect(none.width).toBeNaN();
  });

  it("splits any set into two halves by its names", () => {
    const firsts = Array.from({ length: 2000 }, (_, i) => isFirstHalf({ path: `${i}.jpg` })).filter(Boolean);
    expect(firsts.length).toBeGreaterThan(900);
    expect(firsts.length).toBeLessThan(1100);
  });
});
