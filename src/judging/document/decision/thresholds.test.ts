import { describe, expect, it } from "vitest";
import { figuresOf, type Threshold, wrongAnswers } from "#support/contract/statistics/thresholds";
import { caseOf, mrzOf, passportLines, readingOf, sideOf } from "#support/document/reading";
import type { ImageQuality, SideReading } from "../reading/reading.ts";
import type { AttackMeasurement } from "../reading/traces/measurement.ts";
import { joinDecisions } from "../validation/provider/join-decision.ts";
import { claimEnd } from "../validation/review/review-queue.ts";
import { waitCutoff } from "../validation/wait-cutoff.ts";
import type { ExpectedColour } from "./attacks/attack-policy.ts";
import { fuseCues } from "./attacks/fusion.ts";
import { judgePixelCues } from "./attacks/pixel-cues.ts";
import { ageRule } from "./findings/age.ts";
import { finding } from "./findings/finding-defaults.ts";
import { historyRule } from "./findings/history.ts";
import { imagesRule } from "./findings/images.ts";
import { portraitRule } from "./findings/portrait.ts";
import { velocityStart } from "./history/velocity.ts";
import { judgeDocument } from "./judge.ts";
import { judgeRequirements } from "./pad/image-requirements.ts";
import { ageCodes, type DocumentPolicy, defaultDocumentPolicy } from "./policy.ts";

type DocumentThreshold = Threshold<DocumentPolicy>;

const now = new Date("2026-11-21T12:00:00.000Z");
const [dayMs, hourMs, minuteMs] = [86_400_000, 3_600_000, 60_000];

/** A side without readable data: then blur, glare and darkness count too. */
const sideWith = (quality: Partial<ImageQuality>): SideReading => {
  const side = sideOf();
  return { ...side, quality: { ...side.quality, ...quality } };
};

const isPoor = (side: SideReading, policy: DocumentPolicy): unknown =>
  imagesRule(caseOf(readingOf(side), undefined, policy)).find(({ name }) => name === "front-picture-poor")
    ?.holds;

const isCut = (side: SideReading, policy: DocumentPolicy): unknown =>
  imagesRule(caseOf(readingOf(side), undefined, policy)).find(({ name }) => name === "front-cut")?.holds;

const requirement = (
  name: "resolution" | "background" | "jpegQuality" | "light",
  side: SideReading,
  policy: DocumentPolicy,
) => judgeRequirements(readingOf(side), policy).front[name].passed;

const least = (qualityOf: (value: number) => Partial<ImageQuality>): DocumentThreshold => ({
  judge: (value, policy) => isPoor(sideWith(qualityOf(value)), policy),
  answers: [true, false, false],
});

const requiredLeast = (
  name: "resolution" | "jpegQuality",
  qualityOf: (value: number) => Partial<ImageQuality>,
): DocumentThreshold => ({
  judge: (value, policy) => {
    const side = sideWith(qualityOf(value));
    return [isPoor(side, policy), requirement(name, side, policy)];
  },
  answers: [
    [true, false],
    [false, true],
    [false, true],
  ],
});

const image: Readonly<Record<string, DocumentThreshold>> = {
  "image.shortSidePxMin": requiredLeast("resolution", (height) => ({ height })),
  "image.jpegQualityMin": requiredLeast("jpegQuality", (jpegQuality) => ({ jpegQuality })),
  "image.marginShareMin": {
    judge: (marginShare, policy) => {
      const { card, ...side } = sideOf();
      return requirement("background", { ...side, ...(card && { card: { ...card, marginShare } }) }, policy);
    },
    answers: [false, true, true],
  },
  "image.sharpnessMin": least((sharpness) => ({ sharpness })),
  "image.overexposedShareMax": {
    judge: (overexposedShare, policy) => isPoor(sideWith({ overexposedShare }), policy),
    answers: [false, false, true],
  },
  "image.brightnessMin": least((brightness) => ({ brightness })),
  "card.outsideShareMax": {
    judge: (outsideShare, policy) => {
      const { card, ...side } = sideOf();
      const mrz = mrzOf(passportLines, { margin: -outsideShare });
      return [
        isCut({ ...side, ...(card && { card: { ...card, outsideShare } }) }, policy),
        isCut({ ...side, mrz }, policy),
      ];
    },
    answers: [
      [false, "unknown"],
      [false, "unknown"],
      [true, true],
    ],
  },
  "card.faceShareMin": {
    judge: (width, policy) => {
      const { card, portrait, ...side } = sideOf();
      const small = portrait && { ...portrait, face: { ...portrait.face, width } };
      const measured = card && { ...card, longSidePx: 1, shortSidePx: 1 / 1.586 };
      const front = { ...side, ...(small && { portrait: small }), ...(measured && { card: measured }) };
      const document = caseOf(readingOf(front), { country: "CHL", type: "ID_CARD" }, policy);
      return portraitRule(document).map(({ holds }) => holds);
    },
    answers: [[true], [false], [false]],
  },
};

const fault = finding({
  name: "front-picture-poor",
  stage: "capture",
  code: 204,
  consequence: "resubmit",
  holds: true,
});
const nothingOwn = { code: 9001, status: "Approved", reason: null, reasonCode: null, others: [] } as const;
const requested = {
  status: "Resubmission",
  reason: null,
  reasonCode: 204,
  document: { type: "PASSPORT", country: "CHL", number: null, issued: null, expires: null },
  person: {
    firstName: null,
    lastName: null,
    nationality: null,
    sex: null,
    dateOfBirth: null,
    yearOfBirth: null,
  },
} as const;

const times: Readonly<Record<string, DocumentThreshold>> = {
  "resubmission.attemptsMax": {
    judge: (attempt, policy) => [
      judgeDocument([fault], policy, attempt).status,
      joinDecisions(requested, nothingOwn, policy, attempt).status,
    ],
    answers: [
      ["Resubmission", "Resubmission"],
      ["Declined", "Declined"],
      ["Declined", "Declined"],
    ],
  },
  // The store ends what waits since before the cutoff (decision-suite.ts); a day of 2.4 h is moved by
  // milliseconds too.
  "resubmission.daysMax": {
    judge: (days, policy) => now.getTime() - Math.round(days * dayMs) < waitCutoff(policy, now).getTime(),
    answers: [false, false, true],
    step: 1 / dayMs,
    moved: { to: 3 },
  },
  "velocity.attemptsMax": {
    judge: (attempts, policy) => {
      const document = { ...caseOf(readingOf(sideOf()), undefined, policy), history: { attempts } };
      return historyRule(document).find(({ name }) => name === "attempts-too-many")?.holds;
    },
    answers: [false, false, true],
    moved: { to: 3 },
  },
  // The store counts what came since this time, itself included (decision-suite.ts).
  "velocity.hours": {
    judge: (hours, policy) =>
      now.getTime() - Math.round(hours * hourMs) >= velocityStart(policy, now).getTime(),
    answers: [true, true, false],
    step: 1 / hourMs,
    moved: { to: 48 },
  },
  // A claim has ended at its end (decision-suite.ts).
  "review.holdMinutes": {
    judge: (minutes, policy) =>
      claimEnd(policy, now).getTime() <= now.getTime() + Math.round(minutes * minuteMs),
    answers: [false, true, true],
    step: 1 / minuteMs,
    moved: { to: 3 },
  },
};

const colourful = { second: 2.6, first: 5, usedShare: 0.9 };
const levelOf = (
  measured: AttackMeasurement,
  { attacks }: DocumentPolicy,
  colour: ExpectedColour = { is: "colour", isSure: true },
) =>
  judgePixelCues(measured, "front", attacks, colour).find(({ level }) => level !== "none")?.level ?? "none";

const greyCopy =
  (is: "colour" | "pale"): Threshold<DocumentPolicy>["judge"] =>
  (second, policy) =>
    levelOf({ colour: { ...colourful, second } }, policy, { is, isSure: true });

/** Two limits of one measurement: none below the first, weak from it on, strong from the second on. */
const ladder = (path: string, traceOf: (value: number) => AttackMeasurement) => {
  const judge: DocumentThreshold["judge"] = (value, policy) => levelOf(traceOf(value), policy);
  return {
    [`attacks.${path}.weak`]: { judge, answers: ["none", "weak", "weak"] },
    [`attacks.${path}.strong`]: { judge, answers: ["weak", "strong", "strong"] },
  } as const;
};

const historyAt =
  (information: number): Threshold<DocumentPolicy>["judge"] =>
  (match, policy) => {
    const whole = { match: 1, information: 1e6 };
    return levelOf({ history: { portrait: whole, face: { match, information } } }, policy);
  };

const ghostAt: DocumentThreshold["judge"] = (likeness, policy) =>
  levelOf({ ghost: { likeness, widthShare: 0.4 } }, policy);

const verdictAt: DocumentThreshold["judge"] = (logOdds, { attacks }) =>
  fuseCues([], { ...attacks, fusion: { ...attacks.fusion, offset: logOdds } }).verdict;

const attacks: Readonly<Record<string, DocumentThreshold>> = {
  "attacks.greyCopy.colour.weak": { judge: greyCopy("colour"), answers: ["weak", "none", "none"] },
  "attacks.greyCopy.colour.strong": { judge: greyCopy("colour"), answers: ["strong", "weak", "weak"] },
  "attacks.greyCopy.pale.weak": { judge: greyCopy("pale"), answers: ["weak", "none", "none"] },
  // A limit of 0 is none: no copy of these types was measured.
  "attacks.greyCopy.pale.strong": {
    judge: greyCopy("pale"),
    answers: ["weak", "weak", "weak"],
    moved: { to: 0.1, answers: ["strong", "weak", "weak"] },
  },
  "attacks.greyPortraitMax": {
    judge: (second, policy) => levelOf({ portraitColour: { ...colourful, second } }, policy),
    answers: ["weak", "none", "none"],
  },
  ...ladder("patternPeaks", (peaks) => ({ pattern: { peaks, tiles: 6 } })),
  "attacks.rimSidesMin": {
    judge: (sides, policy) => levelOf({ rim: { sides, brightness: 240, width: 0.1 } }, policy),
    answers: ["none", "weak", "weak"],
  },
  ...ladder("portraitNoise", (noise) => ({ portrait: { noise: -noise, grid: 0 } })),
  ...ladder("portraitGrid", (grid) => ({ portrait: { noise: 0, grid } })),
  "attacks.portraitHistory.weak": { judge: historyAt(1e6), answers: ["weak", "none", "none"] },
  "attacks.portraitHistory.strong": { judge: historyAt(1e6), answers: ["strong", "weak", "weak"] },
  "attacks.portraitHistory.informationMin": {
    judge: (information, policy) => historyAt(information)(0, policy),
    answers: ["none", "strong", "strong"],
  },
  ...ladder("evenNoise", (spreads) => ({ portrait: { noise: 0.2 * spreads, noiseSpread: 0.2, grid: 0 } })),
  "attacks.evenNoise.spreadMax": {
    judge: (noiseSpread, policy) => levelOf({ portrait: { noise: -1.5, noiseSpread, grid: 0 } }, policy),
    answers: ["strong", "strong", "none"],
  },
  "attacks.ghostLikeness.weak": { judge: ghostAt, answers: ["weak", "none", "none"], moved: { to: 0.96 } },
  "attacks.ghostLikeness.strong": { judge: ghostAt, answers: ["strong", "weak", "weak"] },
  ...ladder("portraitDetail", (lack) => ({ detail: { portrait: -lack, least: 0 } })),
  ...ladder("faceDetail", (lack) => ({ detail: { face: -lack, least: 0 } })),
  ...ladder("faceBeside", (lack) => ({ detail: { face: 0, around: lack, least: 0 } })),
  ...ladder("darkestLine", (darkest) => ({ ink: { lines: 12, darkest } })),
  "attacks.decision.doubtful": { judge: verdictAt, answers: ["credible", "doubtful", "doubtful"] },
  "attacks.decision.spoof": { judge: verdictAt, answers: ["doubtful", "spoof", "spoof"] },
};

/**
 * Numbers that are no thresholds: two reviewers or one (validation/review/review.engine.test.ts), and the
 * weight before any trace (attacks/judge-attack.test.ts).
 */
const others = ["review.persons", "attacks.fusion.offset"];

describe("the judges of documents answer by the policy just below, at and just above", () => {
  it("every number", async () => {
    const thresholds = { ...image, ...times, ...attacks };
    const isThreshold = (path: string): boolean => !others.includes(path);
    expect(await wrongAnswers(defaultDocumentPolicy, thresholds, isThreshold)).toEqual([]);
    const paths = figuresOf(defaultDocumentPolicy).map(([path]) => path);
    expect(others.filter((path) => !paths.includes(path))).toEqual([]);
  });

  it("noise of a portrait in both directions", () => {
    const { weak, strong } = defaultDocumentPolicy.attacks.portraitNoise;
    const levels = [-strong, -weak, weak, strong].map(
      (noise) => judgePixelCues({ portrait: { noise, grid: 0 } }, "front").at(0)?.level,
    );
    expect(levels).toEqual(["strong", "weak", "weak", "strong"]);
  });
});

describe("the least age of a holder", () => {
  /** The birthday is tomorrow, today and yesterday. */
  const bornYearsAgo = (years: number) =>
    ["22", "21", "20"].map((day) => `${String(2026 - years).slice(2)}11${day}`);
  const isTooYoung = (birth: string, ageYearsMin: keyof typeof ageCodes) => {
    const lines = [passportLines[0], passportLines[1].replace("900101", birth)];
    const reading = readingOf(sideOf({ mrz: mrzOf(lines, { accepted: true }) }));
    const [answer] = ageRule(caseOf(reading, undefined, { ageYearsMin }));
    return [answer?.code, answer?.holds];
  };
  const ages = [13, 14, 16, 18, 20, 21, 25] as const;

  it.each(ages)("of %i is reached on the birthday", (age) => {
    const code = ageCodes[age];
    expect(bornYearsAgo(age).map((birth) => isTooYoung(birth, age))).toEqual([
      [code, true],
      [code, false],
      [code, false],
    ]);
  });

  it("is tested for every age that a policy may name", () => {
    expect(Object.keys(ageCodes).map(Number)).toEqual(ages);
  });
});
