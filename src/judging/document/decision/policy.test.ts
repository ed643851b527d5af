import { expect, it } from "vitest";
import { figuresOf } from "#support/contract/statistics/thresholds";
import { ageCodes, defaultDocumentPolicy } from "./policy.ts";

const [limits, attacks] = ["the interface, Limits", "docs/measurements/attacks.md"];
const portraits = "docs/decisions/0079-portraits-are-bound.md";
const chosen = "our choice: docs/guides/understand/documents.md";

/**
 * The figures of this version and their sources. A change of one is a change of decisions: name a new
 * version.
 */
const standard = [
  ["image.shortSidePxMin", 720, limits],
  ["image.jpegQualityMin", 70, limits],
  ["image.marginShareMin", 0.05, limits],
  ["image.sharpnessMin", 0.15, chosen],
  ["image.overexposedShareMax", 0.4, chosen],
  ["image.brightnessMin", 40, chosen],
  ["card.outsideShareMax", 0.02, chosen],
  ["card.faceShareMin", 0.11, portraits],
  ["resubmission.attemptsMax", 10, "nine resubmissions after the first attempt: 539"],
  ["resubmission.daysMax", 7, "our choice: 9104 after a week"],
  ["review.holdMinutes", 15, chosen],
  ["review.persons", 1, chosen],
  ["velocity.attemptsMax", 0, "off: reason code 107 is the operator's"],
  ["velocity.hours", 24, chosen],
  ["attacks.greyCopy.colour.weak", 1.15, attacks],
  ["attacks.greyCopy.colour.strong", 0.8, attacks],
  ["attacks.greyCopy.pale.weak", 0.6, attacks],
  ["attacks.greyCopy.pale.strong", 0, "never strong: no copy was measured"],
  ["attacks.greyPortraitMax", 0.9, attacks],
  ["attacks.patternPeaks.weak", 33.5, attacks],
  ["attacks.patternPeaks.strong", 50, attacks],
  ["attacks.rimSidesMin", 3, attacks],
  ["attacks.portraitNoise.weak", 2, attacks],
  ["attacks.portraitNoise.strong", 2.6, attacks],
  ["attacks.evenNoise.weak", 1.8, portraits],
  ["attacks.evenNoise.strong", 2.2, portraits],
  ["attacks.evenNoise.spreadMax", 0.3, portraits],
  ["attacks.portraitGrid.weak", 0.3, attacks],
  ["attacks.portraitGrid.strong", 0.6, attacks],
  ["attacks.portraitHistory.weak", 0.45, portraits],
  ["attacks.portraitHistory.strong", 0.3, portraits],
  ["attacks.portraitHistory.informationMin", 60, portraits],
  ["attacks.portraitDetail.weak", 0.36, portraits],
  ["attacks.portraitDetail.strong", 0.44, portraits],
  ["attacks.faceDetail.weak", 0.45, portraits],
  ["attacks.faceDetail.strong", 0.56, portraits],
  ["attacks.faceBeside.weak", 0.5, portraits],
  ["attacks.faceBeside.strong", 0.6, portraits],
  ["attacks.ghostLikeness.weak", 0.93, portraits],
  ["attacks.ghostLikeness.strong", 0.9, portraits],
  ["attacks.darkestLine.weak", 4, attacks],
  ["attacks.darkestLine.strong", 10, attacks],
  ["attacks.fusion.offset", -2.2, "one attack in ten documents"],
  ["attacks.decision.doubtful", -0.5, attacks],
  ["attacks.decision.spoof", 1.5, attacks],
] as const;

it("the standard policy of documents has these figures under this version", () => {
  expect(defaultDocumentPolicy.version).toBe("document-6");
  expect(defaultDocumentPolicy.attacks.fusion.name).toBe("measured-1");
  expect(figuresOf(defaultDocumentPolicy)).toEqual(standard.map(([path, value]) => [path, value]));
});

it("the standard policy of documents has these switches", () => {
  const { reference, expiryGrace, countries, consequences, specimens, ageYearsMin, resubmission } =
    defaultDocumentPolicy;
  expect([reference, expiryGrace, countries, consequences, ageYearsMin]).toEqual([
    "none",
    [],
    [],
    {},
    undefined,
  ]);
  expect(specimens).toEqual({ numbers: [], mrzTexts: [] });
  expect(resubmission.countsMerchantReference).toBe(false);
  expect(defaultDocumentPolicy.attacks.greyCopy.monochrome).toBeNull();
});

it("each least age has the interface's code", () => {
  expect(Object.entries(ageCodes)).toEqual([
    ["13", 530],
    ["14", 531],
    ["16", 532],
    ["18", 533],
    ["20", 534],
    ["21", 535],
    ["25", 536],
  ]);
});
