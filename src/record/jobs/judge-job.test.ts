import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ErrorKind } from "./job.ts";
import {
  type JobLimits,
  judgeEndedLease,
  judgeError,
  judgeLeased,
  judgePoisoned,
  uptimeMsMin,
} from "./judge-job.ts";

const limits: JobLimits = { attemptsMax: 3, deathsMax: 3 };

describe("a lease that ended without a word from its holder", () => {
  it.each([
    ["dead", undefined, 0],
    ["dead", 0, 1],
    ["dead", 2, 3],
    ["alive", undefined, undefined],
    ["alive", 0, 0],
    ["alive", 2, 2],
  ] as const)("of a holder that is %s changes %s deaths to %s", (holder, before, after) => {
    expect(judgeEndedLease(before, holder)).toBe(after);
  });
});

describe("a leased job", () => {
  it.each([
    [1, undefined, "run"],
    [3, undefined, "run"],
    [4, undefined, "fail"],
    [1, 0, "run"],
    [1, 2, "run"],
    [1, 3, "fail"],
    [1, 4, "fail"],
  ] as const)("of attempt %i with %s deaths: %s", (attempts, deaths, next) => {
    expect(judgeLeased({ id: "j", attempts, ...(deaths !== undefined && { deaths }) }, limits)).toBe(next);
  });
});

describe("a run that ends with an error", () => {
  it.each<readonly [ErrorKind, number, ReturnType<typeof judgeError>]>([
    ["lost", 1, "leave"],
    ["lost", 3, "leave"],
    ["transient", 1, "retry uncounted"],
    ["transient", 3, "retry uncounted"],
    ["permanent", 1, "fail"],
    ["unknown", 1, "retry"],
    ["unknown", 2, "retry"],
    ["unknown", 3, "fail"],
    ["unknown", 4, "fail"],
    ["busy", 2, "retry"],
    ["busy", 3, "fail"],
  ])("of kind %s in attempt %i: %s", (kind, attempts, next) => {
    expect(judgeError(kind, { attempts }, limits)).toBe(next);
  });
});

describe("the poisoned jobs that may run in a process", () => {
  it.each([
    [0, 0],
    [29_999, 0],
    [30_000, 1],
    [119_999, 1],
    [120_000, 2],
    [86_400_000, 2],
  ])("that has lived for %i ms have at most %i deaths", (uptimeMs, allowed) => {
    expect(judgePoisoned(uptimeMs, limits)).toBe(allowed);
  });

  it("never include a job that has reached its limit, and include every other in a process that lives long enough", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9 }), fc.nat(100_000_000), (deathsMax, uptimeMs) => {
        const allowed = judgePoisoned(uptimeMs, { deathsMax });
        expect(allowed).toBeGreaterThanOrEqual(0);
        expect(allowed).toBeLessThan(deathsMax);
        expect(uptimeMs).toBeGreaterThanOrEqual(uptimeMsMin(allowed));
        expect(judgePoisoned(uptimeMsMin(deathsMax - 1), { deathsMax })).toBe(deathsMax - 1);
      }),
    );
  });
});

/** What happens to a job in one lease. */
const events = ["died", "answer lost", "transient", "unknown", "done"] as const;

it("a job ends after a bounded number of deaths and errors, and each is counted once", () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...events), { maxLength: 40 }), (story) => {
      let job: { readonly attempts: number; readonly deaths: number | undefined } = {
        attempts: 0,
        deaths: undefined,
      };
      const counted = { died: 0, unknown: 0 };
      for (const event of story) {
        const { deaths } = job;
        const attempts = job.attempts + 1;
        const leased = { id: "j", attempts, ...(deaths !== undefined && { deaths }) };
        if (judgeLeased(leased, limits) === "fail") {
          expect(counted.died).toBe(1 + limits.deathsMax);
          return;
        }
        if (event === "done") return;
        if (event === "unknown") {
          counted.unknown += 1;
          if (judgeError("unknown", leased, limits) === "fail") {
            expect(counted.unknown).toBe(limits.attemptsMax);
            return;
          }
          job = { attempts, deaths };
        } else if (event === "transient") {
          job = { attempts: job.attempts, deaths };
        } else {
          const holder = event === "died" ? "dead" : "alive";
          counted.died += event === "died" ? 1 : 0;
          job = { attempts: job.attempts, deaths: judgeEndedLease(deaths, holder) };
        }
      }
      expect(counted.died).toBeLessThanOrEqual(1 + limits.deathsMax);
      expect(counted.unknown).toBeLessThan(limits.attemptsMax);
    }),
  );
});
