import { describe, expect, it } from "vitest";
import type { Json } from "#contract/json";
import { imageOf, openFaceEngine } from "#support/face/images";
import { judgeBestImage } from "./liveness/judge-best-image.ts";
import { isSameImage } from "./liveness/resubmission.ts";
import { judgeComparison } from "./matching/judge-comparison.ts";
import type { MeasuredImage } from "./measurement.ts";
import { defaultFacePolicy, type FacePolicy } from "./policy.ts";
import { changePolicy } from "./policy-file.ts";
import { comparisonOf, livenessOf, measurementsOf } from "./record.ts";
import { replay, shadowOf } from "./replay.ts";

const { measure } = openFaceEngine();
const policy = defaultFacePolicy;
const rates = ["1e-1", "1e-2", "1e-3", "1e-4"];
const under = (change: object): FacePolicy => changePolicy(policy, JSON.stringify(change), rates);

/** The record of an identity call over two images, as the store returns it. */
const identity = async (reference: string, best: string) => {
  const [first, second] = await Promise.all(
    [reference, best].map((name) => measure(imageOf(name), { template: true, liveness: true })),
  );
  const { referenceCrowdShareMin, crowdShareMin } = policy.comparison;
  const facial = judgeComparison(first!, second!, policy.comparison, {
    use: "document",
    sizeRatios: [referenceCrowdShareMin, crowdShareMin],
  });
  const liveness = judgeBestImage(second!, isSameImage(first!, second!), policy.liveness);
  const measurements: Json = JSON.parse(
    JSON.stringify({
      reference: measurementsOf(first!),
      bestImage: measurementsOf(second!),
      comparison: comparisonOf(facial),
      liveness: livenessOf(liveness),
    }),
  );
  return { endpoint: "identity", measurements, facial: facial.result, liveness: liveness.result };
};

const measuredFranck = await measure(imageOf("franck_02159.jpg"), { liveness: true });
if (measuredFranck.kind !== "measured") throw new Error("The image was not measured");
const franckImage = measuredFranck;

const genuine = await identity("franck_04035.jpg", "franck_02159.jpg");

describe("replay", () => {
  it.each([
    ["the person", "franck_04035.jpg", "franck_02159.jpg"],
    ["an impostor", "cage.jpg", "franck_02159.jpg"],
    ["the reference itself", "franck_02159.jpg", "franck_02159.jpg"],
    ["a person who blinks", "franck_02159.jpg", "franck_03979.jpg"],
    ["a helmet", "franck_02159.jpg", "ironman.jpg"],
  ])("gives the same answers under the same policy: %s", async (_story, reference, best) => {
    const call = await identity(reference, best);
    expect(replay(call, policy)).toEqual({
      facial: { was: call.facial, now: call.facial },
      liveness: { was: call.liveness, now: call.liveness },
    });
  });

  it("keeps no template, fingerprint, age or gender", () => {
    expect(JSON.stringify(genuine.measurements)).not.toMatch(/template|fingerprint|ageYears|maleness/);
  });

  it("keeps no text of the file, and judges the same without it", () => {
    const image = { ...franckImage, file: { ...franckImage.file, hasExif: true } };
    for (const [software, kept] of [
      ["Anna's telephone 4", "other"],
      ["Adobe Photoshop 25 (Anna)", "photoshop"],
    ] as const) {
      const signed = { ...image, file: { ...image.file, exifSoftware: software, exifCamera: "Anna" } };
      const measurements: Json = JSON.parse(
        JSON.stringify({
          picture: measurementsOf(signed),
          liveness: livenessOf(judgeBestImage(signed, false, policy.liveness)),
        }),
      );
      expect(JSON.stringify(measurements)).not.toContain("Anna");
      expect(measurements).toMatchObject({ picture: { file: { exifSoftware: kept } } });
      const again = replay({ endpoint: "evaluatePassiveLiveness", measurements }, policy)?.liveness;
      expect(again?.now).toBe(again?.was);
    }
  });

  it("shows what a stricter policy would change", () => {
    expect(replay(genuine, under({ liveness: { eyeDistancePxMin: 500 } }))?.liveness).toEqual({
      was: "Live",
      now: "NoneBecauseFaceTooSmall",
    });
    const falseMatchRates = { selfie: 1e-30, document: 1e-30, registry: 1e-30 };
    const strict = { ...policy, comparison: { ...policy.comparison, falseMatchRates } };
    expect(replay(genuine, strict)?.facial?.now).toBe("Negative");
    expect(replay(genuine, under({ comparison: { yawDegreesMax: 0.01 } }))?.facial?.now).toBe(
      "NoneBecausePoseExceed",
    );
  });

  it("does not guess a missing score", async () => {
    const call = await identity("franck_02159.jpg", "ironman.jpg");
    const strict = { ...call, facial: call.facial };
    expect(replay(strict, under({ comparison: { presenceMin: 0 } }))?.facial?.now).toBe(
      "NoneBecauseInvalidExtractions",
    );
    const paused = JSON.parse(JSON.stringify(genuine));
    paused.measurements.comparison.score = null;
    expect(replay(paused, policy)?.facial?.now).toBe("unknown");
  });

  it("gives no result for calls that judge no face, or were stored in another form", () => {
    expect(replay({ endpoint: "detokenize", measurements: {} }, policy)).toBeUndefined();
    expect(replay({ endpoint: "identity", measurements: { kind: "old" } }, policy)).toBeUndefined();
  });

  it("uses the score of a shadow network, by name", () => {
    const watched: MeasuredImage = {
      ...franckImage,
      shadow: { live: 0.01, models: { "small@1": "ab".repeat(32) } },
    };
    expect(shadowOf("small")(watched).cues?.network).toEqual({ live: 0.01 });
    expect(shadowOf("other")(watched).cues?.network).toBeUndefined();
  });
});

describe("a policy file", () => {
  it.each([
    ["invalid JSON", "{", /not JSON/],
    ["an unknown part", '{"speed": {}}', /speed is not a part/],
    [
      "an unknown figure",
      '{"liveness": {"yaw": 3}}',
      /liveness\.yaw is not a figure of the policy\. liveness has presenceMin, /,
    ],
    [
      "a text for a figure",
      '{"liveness": {"yawDegreesMax": "3"}}',
      /yawDegreesMax is "3"\. Set it to a number from 0 to 90\.$/,
    ],
    ["null for a figure", '{"liveness": {"yawDegreesMax": null}}', /yawDegreesMax is null\. Set it to/],
    [
      "a negative size",
      '{"liveness": {"eyeDistancePxMin": -1}}',
      /^liveness\.eyeDistancePxMin is -1\. Set it to a number from 0 to 16384\.$/,
    ],
    [
      "a share above 1",
      '{"liveness": {"attackScoreMax": 1.1}}',
      /^liveness\.attackScoreMax is 1\.1\. Set it to a number from 0 to 1\.$/,
    ],
    [
      "an impossible angle",
      '{"comparison": {"yawDegreesMax": 400}}',
      /^comparison\.yawDegreesMax is 400\. Set it to a number from 0 to 90\.$/,
    ],
    [
      "impossible brightness",
      '{"liveness": {"brightnessMax": 256}}',
      /^liveness\.brightnessMax is 256\. Set it to a number from 0 to 255\.$/,
    ],
    ["an infinite number", '{"attributes": {"darkLensOddsMin": 1e999}}', /is Infinity\. Set it to a number/],
    ["a switch", '{"liveness": {"isLicensed": false}}', /isLicensed is not a figure/],
    [
      "a rate that the service does not accept",
      '{"comparison": {"falseMatchRates": {"selfie": 0.005}}}',
      /falseMatchRates\.selfie is 0\.005\. Set it to one of 1e-1, 1e-2, 1e-3, 1e-4\.$/,
    ],
    ["a fusion", '{"liveness": {"fusion": {}}}', /IDEM_LIVENESS_FUSION/],
    ["a list", "[1]", /must be an object/],
    ["an inherited name", '{"liveness": {"constructor": 3}}', /constructor is not a figure/],
  ])("is refused with %s", (_story, text, reason) => {
    expect(() => changePolicy(policy, text, rates)).toThrow(reason);
  });

  it("accepts the policy's own figures", () => {
    const { comparison, attributes, liveness } = policy;
    const { fusion: _fusion, isLicensed: _isLicensed, ...figures } = liveness;
    const { version, ...own } = policy;
    expect(under({ comparison, attributes, liveness: figures })).toEqual({
      ...own,
      version: `${version}+file`,
    });
  });

  it("changes the named figures, and the version", () => {
    const changed = under({ comparison: { falseMatchRates: { selfie: 0.001 } } });
    expect(changed.comparison).toEqual({
      ...policy.comparison,
      falseMatchRates: { ...policy.comparison.falseMatchRates, selfie: 0.001 },
    });
    expect(changed.version).not.toBe(policy.version);
  });
});
