import { expect, it } from "vitest";
import { answersAround, figuresOf, type Threshold } from "#support/contract/statistics/thresholds";
import { mayJoin } from "./join-reference.ts";
import { defaultUserPolicy, type ReferencePolicy } from "./policy.ts";

const at = new Date("2026-11-26T12:00:00Z");
const before = (ms: number): Date => new Date(at.getTime() - ms);
const policy: ReferencePolicy = { ...defaultUserPolicy.references, max: 3 };
const claim = {
  isAuthenticated: true,
  falseMatchRate: policy.falseMatchRate,
  joinedAt: [before(policy.apartMs)],
  registeredAt: before(10 * policy.apartMs),
  at,
};

it("the face of a sure login joins", () => {
  expect(mayJoin(claim, policy)).toBe(true);
});

it.each([
  ["a login that failed", { isAuthenticated: false }],
  ["a face that was not compared with the registered template", { falseMatchRate: undefined }],
  ["a rate that is not a number", { falseMatchRate: Number.NaN }],
  ["an enrolment of the same day", { registeredAt: before(policy.apartMs - 1) }],
])("%s joins nothing", (_, change) => {
  expect(mayJoin({ ...claim, ...change }, policy)).toBe(false);
});

it("each figure of the policy decides on either side of its value", async () => {
  const thresholds: Readonly<Record<string, Threshold<ReferencePolicy>>> = {
    max: {
      judge: (references, figures) => {
        const joinedAt = Array.from({ length: references - 1 }, () => before(2 * figures.apartMs));
        return mayJoin({ ...claim, joinedAt }, figures);
      },
      answers: [true, false, false],
      step: 1,
    },
    falseMatchRate: {
      judge: (falseMatchRate, figures) => mayJoin({ ...claim, falseMatchRate }, figures),
      answers: [true, true, false],
      step: 1e-6,
    },
    apartMs: {
      judge: (ms, figures) => mayJoin({ ...claim, joinedAt: [before(ms)] }, figures),
      answers: [false, true, true],
      step: 1,
    },
  };
  expect(Object.keys(thresholds)).toEqual(figuresOf(policy).map(([path]) => path));
  for (const [path, value] of figuresOf(policy)) {
    const threshold = thresholds[path]!;
    expect([path, await answersAround(threshold, value, policy)]).toEqual([path, threshold.answers]);
  }
});
