import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type RateAsk, takeFromBucket } from "./rate.ts";

const ask = (change: Partial<RateAsk> = {}): RateAsk => ({
  spansUs: [10],
  spareUs: 0,
  fullUs: 100,
  ...change,
});

describe("a bucket", () => {
  it("gives what it holds, to the last microsecond and no further", () => {
    expect(takeFromBucket(90, ask())).toEqual({ granted: [true], spareUs: 0, missingUs: 100 });
    expect(takeFromBucket(91, ask())).toEqual({ granted: [false], spareUs: 0, missingUs: 91 });
  });

  it("counts as full from the moment on at which it is full again", () => {
    expect(takeFromBucket(0, ask({ spansUs: [100] })).granted).toEqual([true]);
    expect(takeFromBucket(-1_000_000, ask({ spansUs: [60, 60] })).granted).toEqual([true, false]);
  });

  it("serves waiting calls in their order, and a later one that fits where an earlier one does not", () => {
    expect(takeFromBucket(50, ask({ spansUs: [30, 30, 20] }))).toEqual({
      granted: [true, false, true],
      spareUs: 0,
      missingUs: 100,
    });
  });

  it("gives a spare part only beyond all waiting calls, and no more than it holds", () => {
    expect(takeFromBucket(0, ask({ spareUs: 5 }))).toEqual({ granted: [true], spareUs: 5, missingUs: 15 });
    expect(takeFromBucket(87, ask({ spareUs: 5 }))).toEqual({ granted: [true], spareUs: 3, missingUs: 100 });
    expect(takeFromBucket(91, ask({ spareUs: 5 }))).toEqual({ granted: [false], spareUs: 0, missingUs: 91 });
  });

  it("is no more than empty where a setting has made it smaller", () => {
    expect(takeFromBucket(5_000, ask())).toEqual({ granted: [false], spareUs: 0, missingUs: 100 });
  });

  it("never gives more than a full bucket and the time since, whatever is asked", () => {
    const span = fc.integer({ min: 1, max: 150 });
    const step = fc.record({
      afterUs: fc.integer({ min: 0, max: 80 }),
      spansUs: fc.array(span, { maxLength: 5 }),
      spareUs: fc.integer({ min: 0, max: 20 }),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        let [now, fullAt, given] = [0, 0, 0];
        for (const { afterUs, ...asked } of steps) {
          now += afterUs;
          const grant = takeFromBucket(fullAt - now, ask(asked));
          fullAt = now + grant.missingUs;
          given += grant.spareUs;
          grant.granted.forEach((isGranted, at) => {
            given += isGranted ? asked.spansUs[at]! : 0;
          });
          expect(given).toBeLessThanOrEqual(100 + now);
          expect(grant.missingUs).toBeLessThanOrEqual(100);
        }
      }),
    );
  });
});
