import { describe, expect, it } from "vitest";
import { falseMatchRates } from "#machine/config/variables";
import { figuresOf, justAbove, justBelow } from "#support/contract/statistics/thresholds";
import { defaultFacePolicy } from "./policy.ts";
import { changePolicy } from "./policy-file.ts";

/** The accepted values of each figure: the range of its measurement. */
const ranges: Readonly<Record<string, readonly [least: number, greatest: number]>> = {
  "comparison.yawDegreesMax": [0, 90],
  "comparison.pitchDegreesMax": [0, 180],
  "comparison.presenceMin": [0, 1],
  "comparison.eyeDistancePxMin": [0, 16_384],
  "comparison.sharpnessMin": [0, 8],
  "comparison.crowdShareMin": [0, 1],
  "comparison.referenceCrowdShareMin": [0, 1],
  "attributes.darkLensEyeToSkinMax": [0, 4],
  "attributes.eyewearNoneOddsMax": [-20, 20],
  "attributes.eyewearWornOddsMin": [-20, 20],
  "attributes.darkLensOddsMin": [-20, 20],
  "liveness.presenceMin": [0, 1],
  "liveness.secondFaceShareMin": [0, 1],
  "liveness.eyeDistancePxMin": [0, 16_384],
  "liveness.faceShareMax": [0, 4],
  "liveness.outsideShareMax": [0, 1],
  "liveness.borderMarginMin": [-1, 10],
  "liveness.yawDegreesMax": [0, 90],
  "liveness.pitchDegreesMax": [0, 180],
  "liveness.rollDegreesMax": [0, 180],
  "liveness.eyeOpennessMin": [0, 1],
  "liveness.lowerFaceChromaMax": [0, 253],
  "liveness.eyeToSkinMin": [0, 4],
  "liveness.sharpnessMin": [0, 8],
  "liveness.brightnessMin": [0, 255],
  "liveness.brightnessMax": [0, 255],
  "liveness.contrastMin": [0, 127.5],
  "liveness.blownOutMax": [0, 1],
  "liveness.attackScoreMax": [0, 1],
  "liveness.networkRefusalMax": [0, 1],
};

/** A policy file with one figure. */
const fileWith = (path: string, value: number): string => {
  const [part = "", name = ""] = path.split(".");
  return JSON.stringify({ [part]: { [name]: value } });
};
const valueUnder = (path: string, value: number): number | string => {
  try {
    const changed = changePolicy(defaultFacePolicy, fileWith(path, value), falseMatchRates);
    return figuresOf(changed).find(([known]) => known === path)?.[1] ?? "absent";
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
};

describe("a policy file", () => {
  it("may change every figure of the policy but the rates, which are a choice, and the fusion, which has a file", () => {
    const paths = figuresOf(defaultFacePolicy).map(([path]) => path);
    const own = paths.filter((path) => !/falseMatchRates|fusion/.test(path));
    expect(Object.keys(ranges).toSorted()).toEqual(own.toSorted());
  });

  it.each(Object.entries(ranges))("takes %s from %j, and nothing beyond", (path, [least, greatest]) => {
    const inside = [least, greatest, justAbove(least), justBelow(greatest)];
    expect(inside.map((value) => valueUnder(path, value))).toEqual(inside);
    for (const value of [justBelow(least), justAbove(greatest)]) {
      expect(valueUnder(path, value)).toBe(
        `${path} is ${value}. Set it to a number from ${least} to ${greatest}.`,
      );
    }
  });

  it.each(["selfie", "document", "registry"])(
    "takes the rates of the service for %s, and no other",
    (use) => {
      const rateUnder = (rate: number) =>
        changePolicy(
          defaultFacePolicy,
          JSON.stringify({ comparison: { falseMatchRates: { [use]: rate } } }),
          falseMatchRates,
        ).comparison.falseMatchRates;
      for (const rate of falseMatchRates.map(Number)) {
        expect(rateUnder(rate)).toEqual({ ...defaultFacePolicy.comparison.falseMatchRates, [use]: rate });
      }
      expect(() => rateUnder(0.02)).toThrow(
        `comparison.falseMatchRates.${use} is 0.02. Set it to one of 1e-1, `,
      );
      expect(() => rateUnder(1)).toThrow("is 1.");
    },
  );

  it("names its change in the version, and changes nothing else", () => {
    const { liveness, ...rest } = defaultFacePolicy;
    expect(changePolicy(defaultFacePolicy, '{"liveness":{"contrastMin":9}}', falseMatchRates)).toEqual({
      ...rest,
      version: "face-9+file",
      liveness: { ...liveness, contrastMin: 9 },
    });
    expect(changePolicy(defaultFacePolicy, "{}", falseMatchRates)).toEqual({
      ...defaultFacePolicy,
      version: "face-9+file",
    });
  });

  it.each([
    ["{", "The policy file is not JSON"],
    ["null", "the file must be an object"],
    ["[]", "the file must be an object"],
    ["3", "the file must be an object"],
    [
      '{"livenes":{}}',
      "livenes is not a part of the policy. The parts are comparison, liveness, attributes.",
    ],
    ['{"toString":{}}', "toString is not a part of the policy"],
    ['{"liveness":[]}', "liveness must be an object"],
    ['{"liveness":{"yaw":1}}', "liveness.yaw is not a figure of the policy"],
    ['{"liveness":{"isLicensed":false}}', "liveness.isLicensed is not a figure of the policy"],
    ['{"liveness":{"fusion":{}}}', "liveness.fusion has a file of its own: IDEM_LIVENESS_FUSION"],
    ['{"liveness":{"toString":1}}', "liveness.toString is not a figure of the policy"],
    ['{"liveness":{"yawDegreesMax":"3"}}', 'liveness.yawDegreesMax is "3". Set it to a number from 0 to 90.'],
    ['{"liveness":{"yawDegreesMax":null}}', "liveness.yawDegreesMax is null. Set it"],
    ['{"comparison":{"falseMatchRates":1}}', "comparison.falseMatchRates must be an object"],
    [
      '{"comparison":{"falseMatchRates":{"passport":1e-2}}}',
      "comparison.falseMatchRates.passport is not a figure",
    ],
  ])("is refused for %s with the reason", (text, reason) => {
    expect(() => changePolicy(defaultFacePolicy, text, falseMatchRates)).toThrow(reason);
  });
});
