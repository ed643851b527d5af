import { describe, expect, it } from "vitest";
import { livenessNumber } from "#contract/liveness";
import { makeShadowReport } from "./shadow-report.ts";

const verdicts = { live: livenessNumber.Live, attack: livenessNumber.NoLive };
const call = (
  liveness: number,
  active: number | null,
  shadow: number | undefined,
  hash = "ab".repeat(32),
) => ({
  result: { liveness },
  measurements: {
    bestImage: {
      kind: "measured",
      cues: active === null ? {} : { network: { live: active } },
      ...(shadow !== undefined && { shadow: { live: shadow, models: { "small@1": hash } } }),
    },
    liveness: { result: "Live" },
    reference: null,
  },
});

describe("makeShadowReport", () => {
  it("adds up shadow results, separately for each set of models", () => {
    const report = makeShadowReport(verdicts);
    report.add(call(verdicts.live, 0.9, 0.7));
    report.add(call(verdicts.live, 0.9, 0.1));
    report.add(call(verdicts.attack, null, 0.8));
    report.add(call(verdicts.live, 0.9, undefined));
    report.add(call(verdicts.live, 0.9, 0.9, "cd".repeat(32)));
    report.add({ result: null, measurements: "none" });
    expect(report.reports()).toEqual([
      {
        models: "small@1 abababab",
        pictures: 3,
        compared: 2,
        meanDistance: expect.closeTo(0.5, 9),
        disagreements: 1,
        liveAgainst: 1,
        attackAgainst: 1,
      },
      expect.objectContaining({ models: "small@1 cdcdcdcd", pictures: 1, meanDistance: 0 }),
    ]);
  });

  it("finds the images of a registered user's call, which are in a list", () => {
    const { result, measurements } = call(verdicts.live, 0.9, 0.1);
    const report = makeShadowReport(verdicts);
    report.add({ result, measurements: { pictures: [{ kind: "measured" }, measurements.bestImage] } });
    expect(report.reports()).toMatchObject([{ pictures: 1, compared: 1, disagreements: 1, liveAgainst: 1 }]);
  });
});
