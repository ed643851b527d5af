import { describe, expect, it } from "vitest";
import { similarityOf } from "#judging/face/matching/calibration";
import { writeFacesPage } from "../report/faces-page.ts";
import { describeFaces } from "./describe-faces.ts";
import { reportFaces } from "./measure.ts";
import { isSameImageTwice, reportGroups } from "./measure-groups.ts";

/** The scores 0, 1/1000 … 999/1000, plus a shift. */
const ramp = (shift: number): Float64Array => Float64Array.from({ length: 1000 }, (_, i) => i / 1000 + shift);

describe("reportGroups", () => {
  const report = reportGroups({
    genuine: ramp(0.5),
    impostor: ramp(0),
    within: new Map([
      ["usual", ramp(0)],
      ["alike", ramp(0.1)],
    ]),
    threshold: 0.95,
  });

  it("counts false matches of a group at the score of the whole list", () => {
    expect(report.groups["usual"]).toMatchObject({ n: 1000, fmr: 0.001 });
    expect(report.groups["alike"]!.fmr).toBeCloseTo(0.101, 6);
    expect(report.groups["alike"]!.fmrBounds.low).toBeLessThan(0.101);
  });

  it("counts them from the product's threshold on as well", () => {
    expect(report.groups["usual"]!.fmrAtThreshold).toBeCloseTo(0.05, 6);
  });

  it("takes the threshold of the group that needs the highest", () => {
    // 1e-2 of "alike" is over 1.089, and .41 of the genuine scores are.
    expect(report.tarAtWorstGroupFmr["1e-2"]).toBeCloseTo(0.41, 6);
    expect(report.tarAtWorstGroupFmr["1e-3"]).toBeCloseTo(0.401, 6);
  });
});

it("gives no rate of the worst group where one group has too few pairs, on the terminal and on the page alike", () => {
  const input = {
    genuine: ramp(0.5),
    impostor: ramp(0),
    within: new Map([
      ["large", ramp(0)],
      ["small", ramp(0.1).subarray(0, 500)],
    ]),
    threshold: 0.95,
  };
  const report = { ...reportFaces({ ...input, pictures: 10, failuresToEnrol: 0 }), ...reportGroups(input) };
  expect(report.tarAtWorstGroupFmr["1e-3"]).toBeNaN();
  const hundredth = `${(100 * report.tarAtWorstGroupFmr["1e-2"]).toFixed(2)} %`;
  expect(describeFaces({ ...report, cohort: "none" }, similarityOf).at(-1)).toBe(
    `TAR, worst group    ${hundredth} at its FMR 1e-2, - at 1e-3`,
  );
  const run = { version: "1", words: [], at: new Date(0), models: {} };
  const html = writeFacesPage({
    ...run,
    report,
    similarityOf,
    genuine: input.genuine,
    impostor: input.impostor,
  });
  expect(html).toContain(`an FMR of 1 %: ${hundredth}. TAR where the worst group has an FMR of 0.1 %: -.`);
});

it("treats a pair as the same image only if both recognisers do", () => {
  const pair = { score: 9, similarity: 1, falseMatchRate: 1e-6, cosines: [0.99, 0.9] };
  expect(isSameImageTwice(pair)).toBe(true);
  expect(isSameImageTwice({ ...pair, cosines: [0.99, 0.7] })).toBe(false);
});
