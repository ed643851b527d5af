import { describe, expect, it } from "vitest";
import { judgeExtension } from "./judge-extension.ts";

const now = new Date("2026-11-23T00:00:00.000Z");
const inDays = (days: number): Date => new Date(now.getTime() + days * 86_400_000);
const keptUntil = inDays(3650);

describe("the next extension of a kept document", () => {
  it("is 90 days before the end of the last time-stamp's certificate", () => {
    expect(judgeExtension({ now, provableUntil: inDays(1825), keptUntil })).toStrictEqual(inDays(1735));
  });

  it("is in half the time where less than 180 days are left", () => {
    expect(judgeExtension({ now, provableUntil: inDays(180), keptUntil })).toStrictEqual(inDays(90));
    expect(judgeExtension({ now, provableUntil: inDays(100), keptUntil })).toStrictEqual(inDays(50));
  });

  it("is after a tenth of the time in which missing validation data can still be had, a day at least", () => {
    const withGaps = (gapsUntil: Date) =>
      judgeExtension({ now, provableUntil: inDays(1825), keptUntil, gapsUntil });
    expect(withGaps(inDays(90))).toStrictEqual(inDays(9));
    expect(withGaps(inDays(2))).toStrictEqual(inDays(1));
  });

  it("is the usual one where no further try would come in time, or comes later", () => {
    const withGaps = (gapsUntil: Date) =>
      judgeExtension({ now, provableUntil: inDays(1825), keptUntil, gapsUntil });
    expect(withGaps(inDays(1))).toStrictEqual(inDays(1735));
    expect(withGaps(inDays(-1))).toStrictEqual(inDays(1735));
    const short = { now, provableUntil: inDays(2), keptUntil, gapsUntil: inDays(90) };
    expect(judgeExtension(short)).toStrictEqual(inDays(1));
  });

  it("is never for a document that is removed before, or that has no document time-stamp", () => {
    expect(judgeExtension({ now, provableUntil: keptUntil, keptUntil })).toBeUndefined();
    expect(
      judgeExtension({ now, provableUntil: new Date(keptUntil.getTime() - 1), keptUntil }),
    ).toBeDefined();
    expect(judgeExtension({ now, provableUntil: undefined, keptUntil })).toBeUndefined();
  });
});
