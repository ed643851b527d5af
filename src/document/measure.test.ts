import { describe, expect, it } from "vitest";
import { type MeasuredPicture, summariseDocuments } from "./measure.ts";

const truth = ["P<UTOERIKSSON<<ANNA", "L898902C36UTO740812"];

const picture = (change: Partial<MeasuredPicture>): MeasuredPicture => ({
  truth,
  lines: truth,
  accepted: true,
  ms: 100,
  ...change,
});

describe("summariseDocuments", () => {
  it("counts documents, lines and characters", () => {
    const wrong = picture({ lines: [truth[0]!, "L898902C36UTO740813"], accepted: false, ms: 300 });
    const missed = picture({ lines: [], accepted: false, ms: 200 });
    const report = summariseDocuments(5, [picture({}), wrong, missed], []);
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
    expect(summariseDocuments(2, [changed, cut], []).mrz.falseReads).toBe(2);
  });

  it("answers null, not zero, where nothing was measured", () => {
    const report = summariseDocuments(0, [], []);
    expect(report.mrz.characterAccuracy).toBeNull();
    expect(report.ms).toEqual({ median: null, p95: null, min: null });
  });
});
