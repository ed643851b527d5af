import { describe, expect, it } from "vitest";
import { livenessNumber } from "#contract/liveness";
import { altered, covered, groupPhotograph, sideBySide } from "#support/face/altered";
import { imageOf, openFaceEngine, recaptured } from "#support/face/images";
import { judgeLiveness, livenessUnknown } from "./liveness/judge-liveness.ts";
import { livenessRules } from "./liveness/liveness-rules.ts";
import { judgeComparison } from "./matching/judge-comparison.ts";
import { defaultFacePolicy } from "./policy.ts";

const engine = openFaceEngine();
const { imaging, measure } = engine;
const { liveness, comparison } = defaultFacePolicy;
const franck = imageOf("franck_02159.jpg");

/** A woman who looks far aside, cut from a group photograph. */
const rotated = () =>
  altered(imaging, groupPhotograph(2), (image) =>
    imaging.crop(image, { x: 100, y: 60, width: 600, height: 600 }),
  );

/** An image, real or made from a real one, for every liveness number that an image can get. */
const images: readonly (readonly [
  keyof typeof livenessNumber,
  string,
  () => Uint8Array | Promise<Uint8Array>,
])[] = [
  ["None", "a small drawing that fills the frame", () => imageOf("picasso_drawing_crop.jpg")],
  ["Live", "a man before a camera", () => franck],
  [
    "NoneBecauseBadQuality",
    "the same man without light",
    () =>
      altered(imaging, franck, ({ width, height, data }) => ({
        width,
        height,
        data: data.map((value) => value / 9),
      })),
  ],
  ["NoneBecauseFaceTooClose", "a face that fills the frame", () => imageOf("cage2_crop.jpg")],
  ["NoneBecauseFaceNotFound", "a helmet", () => imageOf("ironman.jpg")],
  [
    "NoneBecauseFaceTooSmall",
    "the man a fifth as large",
    () => altered(imaging, franck, (image) => imaging.resize(image, 144, 115)),
  ],
  ["NoneBecauseAngleTooLarge", "a woman who looks aside", rotated],
  ["NoneBecauseImageDataError", "the first bytes of an image", () => franck.subarray(0, 300)],
  [
    "NoneBecauseImagePreprocessError",
    "twenty pixels",
    () => imaging.encodePng({ width: 20, height: 20, data: new Uint8Array(1200) }),
  ],
  [
    "NoneBecauseTooManyFaces",
    "the man twice",
    () => altered(imaging, franck, (image) => sideBySide(image, image)),
  ],
  ["NoneBecauseFaceTooCloseToBorder", "a face cut tightly", () => imageOf("audrey_crop.jpg")],
  [
    "NoneBecauseFaceCropped",
    "the man at the edge of the frame",
    () =>
      altered(imaging, franck, (image) =>
        imaging.crop(image, { x: 0, y: 0, width: 440, height: image.height }),
      ),
  ],
  [
    "NoneBecauseFaceOccluded",
    "the man behind a blue mask",
    () =>
      altered(imaging, franck, (image) =>
        covered(image, { x: 260, y: 330, width: 230, height: 170 }, [70, 130, 190]),
      ),
  ],
  ["NoLive", "the man on a telephone", () => recaptured(engine, "franck_02159.jpg")],
  ["NoneBecauseEyesClosed", "the man while he blinks", () => imageOf("franck_03979.jpg")],
];

describe("every liveness number", () => {
  it.each(images)("%s is the answer for %s", async (result, _story, image) => {
    expect(judgeLiveness(await measure(await image(), { liveness: true }), liveness).result).toBe(result);
  });

  it("has an image, except for the deprecated ones, a broken engine (face.http.test.ts) and a licence (open-face-policy.test.ts)", () => {
    const shown = new Set<string>(images.map(([result]) => result));
    const rest = Object.keys(livenessNumber).filter((name) => !shown.has(name));
    expect(rest).toEqual(["Spoof", "Uncertain", livenessUnknown.result, "NoneBecauseLicenseError"]);
  });

  it("of a rule has an image for which no earlier rule holds", () => {
    const shown = new Set<string>(images.map(([result]) => result));
    expect(livenessRules.filter(({ result }) => !shown.has(result))).toEqual([]);
    expect(new Set(livenessRules.map(({ result }) => result)).size).toBe(livenessRules.length);
  });
});

describe("every facial number", () => {
  const rates = (rate: number) => ({ selfie: rate, document: rate, registry: rate });
  const banded = { ...comparison, falseMatchRates: rates(1e-30), uncertainFalseMatchRates: rates(0.1) };
  const another = () => imageOf("franck_04035.jpg");
  const twins = () => altered(imaging, franck, (image) => sideBySide(image, image));
  const cage = () => imageOf("cage.jpg");
  const helmet = () => imageOf("ironman.jpg");
  it.each([
    ["None", "an impostor with another face beside him", cage(), twins, comparison],
    ["Negative", "another man", franck, cage, comparison],
    ["Uncertain", "the same man where the operator's band is wide", franck, another, banded],
    ["Positive", "the same man", franck, another, comparison],
    ["NoneBecausePoseExceed", "a woman who looks aside", franck, rotated, comparison],
    ["NoneBecauseInvalidExtractions", "a helmet", franck, helmet, comparison],
  ] as const)("%s is the answer for %s", async (result, _story, reference, image, policy) => {
    const [first, second] = await Promise.all(
      [reference, await image()].map((bytes) => measure(bytes, { template: true })),
    );
    const sizeRatios = [policy.referenceCrowdShareMin, policy.crowdShareMin] as const;
    expect(judgeComparison(first!, second!, policy, { use: "document", sizeRatios }).result).toBe(result);
  });
});
