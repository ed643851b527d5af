import { describe, expect, it } from "vitest";
import { faceQualityComponents } from "#contract/face-quality";
import { altered, covered, groupPhotograph } from "#support/face/altered";
import { imageOf, openFaceEngine } from "#support/face/images";
import { judgeQuality, qualityComponents } from "./quality-components.ts";

const { imaging, measure } = openFaceEngine();
const franck = imageOf("franck_02159.jpg");

const judged = async (bytes: Uint8Array) => {
  const measured = await measure(bytes, { attributes: true });
  if (measured.kind !== "measured") throw new Error("The image was not measured");
  const quality = judgeQuality(measured);
  if (quality === undefined) throw new Error("No face was found");
  const values = Object.fromEntries(quality.components.map(({ name, value }) => [name, value]));
  return { score: quality.score, values };
};

type Place = { readonly x: number; readonly y: number };

/**
 * Changes the image of the frontal man place by place. His face is about (370, 290), his eyes are at a height
 * of 245.
 */
const changed = async (change: (value: number, place: Place) => number) =>
  await judged(
    await altered(imaging, franck, ({ width, height, data }) => ({
      width,
      height,
      data: data.map((value, i) => {
        const pixel = Math.floor(i / 3);
        return Math.min(255, change(value, { x: pixel % width, y: Math.floor(pixel / width) }));
      }),
    })),
  );

const good = await judged(franck);

describe("the components of a face image", () => {
  it("are those of the contract, in its order, each explained", () => {
    expect(qualityComponents.map(({ name }) => name)).toEqual(faceQualityComponents);
    expect(qualityComponents.filter(({ explanation }) => explanation.length < 20)).toEqual([]);
  });

  it("are high for a frontal, sharp, evenly lit face", () => {
    expect(good.score).toBeGreaterThan(80);
    for (const name of ["headPoseYaw", "eyesOpen", "eyesVisible", "sharpness", "singleFacePresent"]) {
      expect(good.values[name]).toBeGreaterThan(85);
    }
  });

  it.each([
    ["eyesOpen", "the man while he blinks", () => imageOf("franck_03979.jpg"), 40],
    [
      "headPoseYaw",
      "a woman who looks aside",
      () =>
        altered(imaging, groupPhotograph(2), (image) =>
          imaging.crop(image, { x: 100, y: 60, width: 600, height: 600 }),
        ),
      80,
    ],
    [
      "mouthOcclusionPrevention",
      "the man behind a blue mask",
      () =>
        altered(imaging, franck, (image) =>
          covered(image, { x: 260, y: 330, width: 230, height: 170 }, [70, 130, 190]),
        ),
      40,
    ],
  ] as const)("%s is low for %s", async (name, _story, image, below) => {
    const { values, score } = await judged(await image());
    expect(values[name]).toBeLessThan(below);
    expect(score).toBeLessThan(good.score);
  });

  it("illuminationUniformity falls if one half is in shadow", async () => {
    const shadow = await changed((value, { x }) => (x < 370 ? value * 0.25 : value));
    expect(shadow.values["illuminationUniformity"]).toBeLessThan(good.values["illuminationUniformity"]! - 15);
  });

  it("exposure and dynamic range fall with the light", async () => {
    const dark = await changed((value) => value * 0.1);
    expect(dark.values["underExposurePrevention"]).toBeLessThan(50);
    expect(dark.values["dynamicRange"]).toBeLessThan(good.values["dynamicRange"]! - 15);
    expect(dark.score).toBeLessThan(good.score);
    const burnt = await changed((value) => value * 2.6);
    expect(burnt.values["overExposurePrevention"]).toBeLessThan(60);
  });

  it("sharpness, eye distance and compression fall with a small, strongly compressed image", async () => {
    const image = await imaging.open(franck);
    const small = await imaging.resize(image, 120, 96);
    const poor = await judged(await imaging.encodeJpeg(small, 25));
    expect(poor.values["interEyeDistance"]).toBeLessThan(30);
    expect(poor.values["compressionArtifacts"]).toBeLessThan(40);
    expect(poor.score).toBeLessThan(good.score - 10);
    const tiny = await imaging.resize(image, 90, 72);
    const large = await imaging.resize(tiny, image.width, image.height);
    const { values } = await judged(await imaging.encodeJpeg(large, 92));
    expect(values["sharpness"]).toBeLessThan(good.values["sharpness"]! - 10);
  });

  it("backgroundUniformity falls with a patterned wall", async () => {
    const busy = await changed((value, { x, y }) => {
      const isBehind = Math.abs(x - 370) > 200 && y < 400;
      return isBehind ? (((x >> 3) + (y >> 3)) % 2 === 0 ? 20 : 230) : value;
    });
    expect(busy.values["backgroundUniformity"]).toBeLessThan(20);
    expect(good.values["backgroundUniformity"]).toBeGreaterThan(60);
  });

  it("have no value if the file lacks the data", async () => {
    const image = await imaging.open(franck);
    const { values } = await judged(await imaging.encodePng(image));
    expect(values["compressionArtifacts"]).toBeUndefined();
  });
});
