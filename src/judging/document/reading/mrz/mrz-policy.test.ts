import { describe, expect, it } from "vitest";
import { figuresOf, type Threshold, wrongAnswers } from "#support/contract/statistics/thresholds";
import { judgeChecks } from "./checks.ts";
import { layouts } from "./formats.ts";
import { isAccepted, isClear, isDoubtful, isGood, isMrz, rankOf } from "./judge-hypothesis.ts";
import { type MrzPolicy, mrzPolicy } from "./mrz-policy.ts";
import { isWorthwhile, passesOf, readingSize, type SeenPass } from "./passes.ts";

/** The specimen of Doc 9303-4, of a state that is known. */
const lines = [
  "P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<",
  "L898902C36UTO7408122F1204159ZE184226B<<<<<10",
];
const found = (
  change: { margin?: number; maskCost?: number; likelihood?: number; lines?: readonly string[] } = {},
) => {
  const { margin = 6, maskCost = 0, likelihood = -0.01, lines: read = lines } = change;
  return {
    format: "TD3" as const,
    lines: read,
    margins: [
      [7, 8],
      [9, margin],
    ],
    decoded: [{ maskCost: 0 }, { maskCost }],
    checks: judgeChecks(layouts.TD3, read),
    likelihood,
  };
};
const replaced = (from: string, to: string) => lines.map((line) => line.replace(from, to));
/** With one wrong digit, and with all of them wrong. */
const [oneWrong, allWrong] = [
  replaced("L898902C36", "L898902C37"),
  [lines[0]!, "L898902C37UTO7408123F1204150ZE184226B<<<<<21"],
];

const seenAt = (change: Partial<SeenPass>): SeenPass => ({
  longSide: 512,
  rotated: false,
  hasText: true,
  alongShare: 0,
  hasSeeds: true,
  ...change,
});
const sides = { readSide: 2000, ownSide: 3000 };

const thresholds: Readonly<Record<string, Threshold<MrzPolicy>>> = {
  marginMin: {
    judge: (margin, policy) => [
      isClear(found({ margin }), policy),
      isAccepted(found({ margin }), policy),
      isDoubtful(found({ margin }), policy),
    ],
    answers: [
      [false, false, true],
      [true, true, false],
      [true, true, false],
    ],
  },
  maskCostMax: {
    judge: (maskCost, policy) => isClear(found({ maskCost }), policy),
    answers: [true, true, false],
  },
  likelihoodReliable: {
    judge: (likelihood, policy) => isMrz(found({ likelihood, lines: allWrong }), policy),
    answers: [false, true, true],
  },
  likelihoodGood: {
    judge: (likelihood, policy) => isGood(found({ likelihood }), policy),
    answers: [false, false, true],
  },
  likelihoodMin: {
    judge: (likelihood, policy) => isMrz(found({ likelihood }), policy),
    answers: [false, true, true],
  },
  longSideMax: {
    judge: (width, policy) => readingSize({ width, height: width / 2 }, policy).width === policy.longSideMax,
    answers: [false, true, true],
    step: 1,
  },
  longSideMin: {
    judge: (height, policy) =>
      readingSize({ width: height / 2, height }, policy).height === policy.longSideEnlarged,
    answers: [true, false, false],
    step: 1,
  },
  longSideEnlarged: {
    judge: (height, policy) => height <= readingSize({ width: 400, height: 500 }, policy).height,
    answers: [true, true, false],
    step: 1,
  },
  alongShareReliable: {
    judge: (alongShare, policy) =>
      isWorthwhile({ longSide: 512, rotated: true }, [seenAt({ alongShare })], sides, policy),
    answers: [true, false, false],
  },
  longSideNear: {
    judge: (longSide, policy) =>
      passesOf({ ...policy, passes: [{ longSide, rotated: false }] }, { distance: "far" }).length,
    answers: [0, 0, 1],
  },
  longSideFree: {
    judge: (longSide, policy) =>
      isWorthwhile({ longSide, rotated: false }, [seenAt({ hasSeeds: false })], sides, policy),
    answers: [true, true, false],
  },
};

describe("the judges of an MRZ reading", () => {
  it("answer by the policy just below, at and just above every number", async () => {
    // The sizes of the passes are no thresholds.
    expect(await wrongAnswers(mrzPolicy, thresholds, (path) => !path.startsWith("passes."))).toEqual([]);
  });

  it("have these standard figures (MODELS.md, docs/measurements/documents.md)", () => {
    expect(figuresOf(mrzPolicy)).toEqual([
      ["passes.0.longSide", 512],
      ["passes.1.longSide", 512],
      ["passes.2.longSide", 960],
      ["passes.3.longSide", 960],
      ["passes.4.longSide", 1536],
      ["passes.5.longSide", 1536],
      ["longSideNear", 512],
      ["alongShareReliable", 0.85],
      ["longSideFree", 960],
      ["marginMin", 2],
      ["maskCostMax", 12],
      ["likelihoodReliable", -0.15],
      ["likelihoodGood", -0.12],
      ["likelihoodMin", -0.4],
      ["longSideMax", 2000],
      ["longSideMin", 1000],
      ["longSideEnlarged", 1300],
    ]);
    expect(mrzPolicy.passes.map(({ rotated }) => rotated)).toEqual([false, true, false, true, false, true]);
  });

  it("accept a clear reading only with right digits and known states, for issuer and nationality", () => {
    const isTaken = (read: readonly string[]) => isAccepted(found({ lines: read }), mrzPolicy);
    const isUnsure = (read: readonly string[]) => isDoubtful(found({ lines: read }), mrzPolicy);
    const strange = [replaced("P<UTO", "P<QQQ"), replaced("6UTO7", "6QQQ7"), oneWrong];
    expect([lines, ...strange].map(isTaken)).toEqual([true, false, false, false]);
    expect([lines, ...strange].map(isUnsure)).toEqual([false, true, true, true]);
    expect(isClear(found({ lines: oneWrong }), mrzPolicy)).toBe(true);
  });

  it("take an unlikely reading for an MRZ only with half of its digits right, and one at least", () => {
    const held = (read: readonly string[]) => found({ lines: read, likelihood: -0.3 });
    // Number, birth and composite are wrong: two of five hold.
    const threeWrong = ["L898902C37UTO7408124F1204159ZE184226B<<<<<10"];
    const isTaken = (read: readonly string[]) => isMrz(held(read), mrzPolicy);
    expect([lines, oneWrong].map(isTaken)).toEqual([true, true]);
    expect([[lines[0]!, ...threeWrong], allWrong].map(isTaken)).toEqual([false, false]);
    const none = { ...found({ likelihood: -0.3 }), checks: [] };
    expect([isMrz(none, mrzPolicy), isDoubtful({ ...none, likelihood: -0.5 }, mrzPolicy)]).toEqual([
      false,
      false,
    ]);
  });

  it.each([
    [["VDOCUMENTONACIONALDEIDENTIDAD<<<<<<<", "PFIT1ETAP0III66<<<<0<<<<<<<0<<<<<<<<"]],
    [["VDOCUMENTONACIONALDEIDENTIDAD<<<<<<<", "PYIT1EFAD0IIG0<<<<<0<<<<<<<0<<<<<<<<"]],
  ])("take no print for an MRZ because the digits of empty fields hold: %j", (read) => {
    const checks = judgeChecks(layouts["MRV-B"], read);
    expect(checks.filter(({ holds }) => holds)).toHaveLength(2);
    const print = { ...found({ likelihood: -0.272, lines: read }), format: "MRV-B" as const, checks };
    expect(isMrz(print, mrzPolicy)).toBe(false);
  });

  it("try no further seed with one wrong digit, and do with two", () => {
    const two = [lines[0]!, "L898902C37UTO7408122F1204159ZE184226B<<<<<11"];
    expect([lines, oneWrong, two].map((read) => isGood(found({ lines: read }), mrzPolicy))).toEqual([
      true,
      // A wrong digit of the number is a wrong composite too.
      false,
      false,
    ]);
    const oneOnly = [lines[0]!, "L898902C36UTO7408122F1204159ZE184226B<<<<<11"];
    expect(isGood(found({ lines: oneOnly }), mrzPolicy)).toBe(true);
  });

  it("rank right digits before margins, and margins up to five nats before likelihood", () => {
    const ranks = [
      rankOf(found({ lines: oneWrong, margin: 5 })),
      rankOf(found({ margin: 0, likelihood: -0.9 })),
      rankOf(found({ margin: 4 })),
      rankOf(found({ margin: 5 })),
    ];
    expect(ranks.toSorted((a, b) => a - b)).toEqual(ranks);
    expect(rankOf(found({ margin: 6 }))).toBe(rankOf(found({ margin: 5 })));
    expect(rankOf(found({ margin: 5, likelihood: -0.2 }))).toBeCloseTo(14, 9);
    expect(rankOf(found({ margin: 5, likelihood: -9 }))).toBeCloseTo(10, 9);
    expect(rankOf({ ...found({ margin: 5, likelihood: 0 }), checks: [] })).toBeCloseTo(5, 9);
  });
});

describe("the passes over an image", () => {
  const pass = { longSide: 960, rotated: false };
  const isTried = (seen: readonly SeenPass[], of = sides, tried = pass) =>
    isWorthwhile(tried, seen, of, mrzPolicy);

  it("run the rotated one of a size first where the document stands, and only large ones for a far one", () => {
    const order = (options: Parameters<typeof passesOf>[1]) =>
      passesOf(mrzPolicy, options).map(({ longSide, rotated }) => `${longSide}${rotated ? "r" : ""}`);
    expect(order({})).toEqual(["512", "512r", "960", "960r", "1536", "1536r"]);
    expect(order({ likelyRotated: true })).toEqual(["512r", "512", "960r", "960", "1536r", "1536"]);
    expect(order({ distance: "far" })).toEqual(["960", "960r", "1536", "1536r"]);
    expect(order({ distance: "near" })).toHaveLength(6);
  });

  it("run no pass twice on the same input", () => {
    expect(isTried([seenAt({ longSide: 512 })], { readSide: 512, ownSide: 3000 })).toBe(false);
    expect(isTried([seenAt({ longSide: 512 })], { readSide: 513, ownSide: 3000 })).toBe(true);
    expect(isTried([seenAt({ longSide: 512, rotated: true })], { readSide: 512, ownSide: 3000 })).toBe(true);
  });

  it("run no pass across text, or where the other direction of its size has none", () => {
    expect(isTried([seenAt({ ...pass, rotated: true, alongShare: 0.9 })])).toBe(false);
    expect(isTried([seenAt({ ...pass, rotated: true, hasText: false })])).toBe(false);
    expect(isTried([seenAt({ longSide: 512, rotated: true, hasText: false })])).toBe(true);
    expect(isTried([seenAt({ ...pass, longSide: 512, alongShare: 0.9 })])).toBe(true);
  });

  it("run a large pass only over a large image in which a line looked like an MRZ", () => {
    const large = { longSide: 1536, rotated: false };
    const of = (ownSide: number) => ({ readSide: 2000, ownSide });
    expect([959, 960].map((side) => isTried([seenAt({})], of(side), large))).toEqual([false, true]);
    expect(isTried([seenAt({ hasSeeds: false })], of(3000), large)).toBe(false);
    expect(isTried([], of(3000), large)).toBe(false);
  });

  it("read lines at a size that keeps the shape, and never has an empty side", () => {
    expect(readingSize({ width: 4000, height: 3000 }, mrzPolicy)).toEqual({
      width: 2000,
      height: 1500,
      scale: 2,
    });
    expect(readingSize({ width: 500, height: 650 }, mrzPolicy)).toEqual({
      width: 1000,
      height: 1300,
      scale: 0.5,
    });
    expect(readingSize({ width: 1500, height: 1001 }, mrzPolicy)).toEqual({
      width: 1500,
      height: 1001,
      scale: 1,
    });
    expect(readingSize({ width: 16_000, height: 1 }, mrzPolicy)).toEqual({
      width: 2000,
      height: 1,
      scale: 8,
    });
  });
});
