import { describe, expect, it } from "vitest";
import { figuresOf } from "#support/contract/statistics/thresholds";
import {
  defaultFacePolicy,
  scaleIn,
  withFalseMatchRates,
  withFusion,
  withoutLicence,
  withScale,
} from "./policy.ts";

const [faces, attributes, liveness] = [
  "docs/measurements/faces.md",
  "docs/measurements/attributes.md",
  "docs/measurements/liveness.md",
];
/** Enrolment asks for a frontal image: less than the spread of 95 % of LFW. */
const frontal = "spread of LFW";
/** Beyond 99.5 % of the images of LFW. */
const quality = "quality of LFW";

/**
 * The figures of this version and their sources. A change of one is a change of decisions: name a new
 * version.
 */
const standard = [
  ["comparison.falseMatchRates.selfie", 1e-2, "docs/measurements/fairness.md"],
  ["comparison.falseMatchRates.document", 1e-2, "docs/measurements/fairness.md"],
  ["comparison.falseMatchRates.registry", 1e-2, "docs/measurements/fairness.md"],
  ["comparison.yawDegreesMax", 45, faces],
  ["comparison.pitchDegreesMax", 40, faces],
  ["comparison.presenceMin", 0.5, faces],
  ["comparison.eyeDistancePxMin", 14, faces],
  ["comparison.sharpnessMin", 0.03, faces],
  ["comparison.crowdShareMin", 0.35, "as liveness.secondFaceShareMin"],
  ["comparison.referenceCrowdShareMin", 0.8, "src/judging/face/engine/find-faces.ts"],
  ["attributes.darkLensEyeToSkinMax", 0.28, attributes],
  ["attributes.eyewearNoneOddsMax", 0, attributes],
  ["attributes.eyewearWornOddsMin", 2, attributes],
  ["attributes.darkLensOddsMin", 0, attributes],
  ["liveness.presenceMin", 0.5, liveness],
  ["liveness.secondFaceShareMin", 0.35, liveness],
  ["liveness.eyeDistancePxMin", 30, frontal],
  ["liveness.faceShareMax", 0.92, frontal],
  ["liveness.outsideShareMax", 0.05, frontal],
  ["liveness.borderMarginMin", 0, frontal],
  ["liveness.yawDegreesMax", 30, frontal],
  ["liveness.pitchDegreesMax", 28, frontal],
  ["liveness.rollDegreesMax", 30, frontal],
  ["liveness.eyeOpennessMin", 0.12, attributes],
  ["liveness.lowerFaceChromaMax", 45, attributes],
  ["liveness.eyeToSkinMin", 0.28, attributes],
  ["liveness.sharpnessMin", 0.03, quality],
  ["liveness.brightnessMin", 35, quality],
  ["liveness.brightnessMax", 235, quality],
  ["liveness.contrastMin", 8, quality],
  ["liveness.blownOutMax", 0.4, quality],
  ["liveness.attackScoreMax", 0.5, "even odds"],
  ["liveness.networkRefusalMax", 0.2, "docs/decisions/0015-liveness-fusion.md"],
  ["liveness.fusion.offset", -1.7, liveness],
  ["liveness.fusion.scales.frame-around-face", 1.08, liveness],
  ["liveness.fusion.scales.open-frame-around-face", 0.86, liveness],
  ["liveness.fusion.scales.rim-around-frame", 1.49, liveness],
  ["liveness.fusion.scales.moire", 1.86, liveness],
] as const;

describe("the standard policy of faces", () => {
  it("has these figures under this version", () => {
    expect(defaultFacePolicy.version).toBe("face-9");
    expect(defaultFacePolicy.liveness.fusion.name).toBe("drawn-1");
    expect(figuresOf(defaultFacePolicy)).toEqual(standard.map(([path, value]) => [path, value]));
  });

  it("has these switches: liveness is judged, and no band is uncertain", () => {
    expect(defaultFacePolicy.liveness.isLicensed).toBe(true);
    expect(defaultFacePolicy.comparison.uncertainFalseMatchRates).toBeUndefined();
    expect(defaultFacePolicy.comparison.scale).toBeUndefined();
  });
});

describe("a changed policy", () => {
  const rates = { selfie: 1e-2, document: 1e-3, registry: 1e-4 };
  const scale = { recogniser: "ab", name: "other/0123abcd", points: [] };

  it("has its rates and names each of them, and is the same policy for the same rates", () => {
    const changed = withFalseMatchRates(defaultFacePolicy, rates);
    expect(changed.comparison).toEqual({ ...defaultFacePolicy.comparison, falseMatchRates: rates });
    expect(changed.version).toBe("face-9+fmr=1e-2/1e-3/1e-4");
    expect(withFalseMatchRates(defaultFacePolicy, { ...rates, document: 1e-2, registry: 1e-2 })).toBe(
      defaultFacePolicy,
    );
  });

  it("has its fusion, its scale or no licence, and names them", () => {
    const fusion = { name: "fitted-1", offset: -2, scales: {} };
    expect(withFusion(defaultFacePolicy, fusion)).toMatchObject({
      version: "face-9+fitted-1",
      liveness: { ...defaultFacePolicy.liveness, fusion },
    });
    expect(withScale(defaultFacePolicy, scale)).toMatchObject({
      version: "face-9+other/0123abcd",
      comparison: { ...defaultFacePolicy.comparison, scale },
    });
    expect(withoutLicence(defaultFacePolicy)).toMatchObject({
      version: "face-9+unlicensed",
      liveness: { ...defaultFacePolicy.liveness, isLicensed: false },
    });
  });

  it.each([
    ["face-9", "face-9"],
    ["face-9+other/0123abcd", "other/0123abcd"],
    ["face-9+fmr=1e-2/1e-3/1e-4", "face-9"],
    ["face-9+fmr=1e-2/1e-3/1e-4+other/0123abcd people-2", "other/0123abcd"],
    ["face-9+other/0123abcd+fitted-0123456789ab", "other/0123abcd"],
    ["face-9 people-2+duplicates=flag", "face-9"],
    ["+other/0123abc", undefined],
  ])("is read back from the version %s: its scale is %s", (version, name) => {
    expect(scaleIn(version)).toBe(name);
  });
});
