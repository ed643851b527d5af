import { describe, expect, it } from "vitest";
import { type MeasuredImage, summariseDocuments } from "./measure-reading.ts";

const truth = ["P<UTOERIKSSON<<ANNA", "L898902C36UTO740812"];

const image = (change: Partial<MeasuredImage>): MeasuredImage => ({
  truth,
  lines: truth,
  accepted: true,
  ms: 100,
  ...change,
});

describe("summariseDocuments", () => {
  it("counts documents, lines and characters", () => {
    const wrong = image({ lines: [truth[0]!, "L898902C36UTO740813"], accepted: false, ms: 300 });
    const missed = image({ lines: [], accepted: false, ms: 200 });
    const report = summariseDocuments(5, [image({}), wrong, missed], []);
    expect(report).toMatchObject({
      pictures: 5,
      mrz: { documents: 3, exactDocuments: 1, lines: 6, exactLines: 3, accepted: 1, falseReads: 0 },
      fields: { n: 0 },
      ms: { median: 200, p95: 300, min: 100 },
    });
    expect(report.mrz.characterAccuracy).toBeCloseTo(1 - 39 / 114);
  });

  it("counts an accepted reading with wrong text as a false read, even if lines are missing", () => {
    const changed = image({ lines: [truth[0]!, "X898902C36UTO740812"] });
    const cut = image({ lines: [truth[0]!] });
    expect(summariseDocuments(2, [changed, cut], []).mrz.falseReads).toBe(2);
  });

  it("returns null, not zero, without measurements", () => {
    const report = summariseDocuments(0, [], []);
    expect(report.mrz.characterAccuracy).toBeNull();
    expect(report.ms).toEqual({ median: null, p95: null, min: null });
  });
});
