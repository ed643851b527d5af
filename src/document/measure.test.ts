import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { clopperPearson } from "./clopper-pearson.ts";
import { editDistance, type MeasuredPicture, summariseDocuments } from "./measure.ts";

const truth = ["P<UTOERIKSSON<<ANNA", "L898902C36UTO740812"];

const picture = (change: Partial<MeasuredPicture>): MeasuredPicture => ({
  truth,
  lines: truth,
  accepted: true,
  ms: 100,
  ...change,
});

describe("clopperPearson", () => {
  it.each([
    [0, 33, 0, 0.1058],
    [33, 33, 0.8942, 1],
    [0, 300, 0, 0.0122],
    [98, 125, 0.7015, 0.853],
    [73, 80, 0.828, 0.964],
  ])("bounds %d of %d as published tables do", (hits, n, low, high) => {
    const bounds = clopperPearson(hits, n);
    expect(bounds.low).toBeCloseTo(low, 2);
    expect(bounds.high).toBeCloseTo(high, 2);
  });

  it("says nothing when nothing was tried", () => {
    expect(clopperPearson(0, 0)).toEqual({ low: 0, high: 1 });
  });

  it("always holds the observed rate", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 2000 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (n, share) => {
          const hits = Math.round(n * share);
          const { low, high } = clopperPearson(hits, n);
          return low <= hits / n && hits / n <= high;
        },
      ),
    );
  });
});

describe("summariseDocuments", () => {
  it("counts documents, lines and characters", () => {
    const wrong = picture({ lines: [truth[0]!, "L898902C36UTO740813"], accepted: false, ms: 300 });
    const missed = picture({ lines: [], accepted: false, ms: 200 });
    const report = summariseDocuments(5, [picture({}), wrong, missed]);
    expect(report).toMatchObject({
      pictures: 5,
      mrz: { documents: 3, exactDocuments: 1, lines: 6, exactLines: 3, accepted: 1, falseReads: 0 },
      fields: { n: 0 },
      ms: { median: 200, p95: 300, min: 100 },
    });
    expect(report.mrz.characterAccuracy).toBeCloseTo(1 - 39 / 114);
  });

  it("calls an accepted reading with wrong text a false read, also when lines are missing", () => {
    const changed = picture({ lines: [truth[0]!, "X898902C36UTO740812"] });
    const cut = picture({ lines: [truth[0]!] });
    expect(summariseDocuments(2, [changed, cut]).mrz.falseReads).toBe(2);
  });

  it("answers null, not zero, where nothing was measured", () => {
    const report = summariseDocuments(0, []);
    expect(report.mrz.characterAccuracy).toBeNull();
    expect(report.ms).toEqual({ median: null, p95: null, min: null });
  });
});

describe("editDistance", () => {
  it("is a metric", () => {
    const word = fc.string({ unit: fc.constantFrom("A", "B", "<"), maxLength: 8 });
    fc.assert(
      fc.property(word, word, word, (a, b, c) => {
        expect(editDistance(a, b)).toBe(editDistance(b, a));
        expect(editDistance(a, a)).toBe(0);
        expect(editDistance(a, c)).toBeLessThanOrEqual(editDistance(a, b) + editDistance(b, c));
      }),
    );
  });
});
