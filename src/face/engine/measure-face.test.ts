import { describe, expect, it } from "vitest";
import type { Image } from "#imaging/image";
import { judgeLiveness } from "../liveness/judge-liveness.ts";
import { isSamePicture } from "../liveness/resubmission.ts";
import { judgeComparison } from "../matching/judge-comparison.ts";
import type { MeasuredPicture } from "../measurement.ts";
import { defaultFacePolicy } from "../policy.ts";
import { openFaceEngine, pictureOf, recaptured } from "../testing/pictures.ts";

const engine = openFaceEngine();
const { imaging, measure } = engine;
const { comparison, liveness } = defaultFacePolicy;
const wanted = { template: true, liveness: true, attributes: true };

const measured = async (bytes: Uint8Array): Promise<MeasuredPicture> => {
  const measurement = await measure(bytes, wanted);
  if (measurement.kind !== "measured") throw new Error(`the picture was ${measurement.kind}`);
  return measurement;
};
/** Copies a picture to the top of another, its left side at column `left`; what is off the other's left is cut. */
const paste = (onto: Image, image: Image, left: number): void => {
  const cut = Math.max(0, -left);
  for (let y = 0; y < image.height; y++) {
    const row = image.data.subarray((y * image.width + cut) * 3, (y + 1) * image.width * 3);
    onto.data.set(row, (y * onto.width + left + cut) * 3);
  }
};
const franck = await measured(pictureOf("franck_02159.jpg"));

describe("measuring real pictures", () => {
  it("finds one face, its pose and its eyes, and survives a structured clone", () => {
    expect(franck.faceWidths).toEqual([1]);
    expect(franck.face!.confidence).toBeGreaterThan(0.8);
    expect(Math.abs(franck.face!.pose.yawDegrees)).toBeLessThan(15);
    expect(Math.min(...franck.face!.eyeOpenness!)).toBeGreaterThan(0.15);
    expect(franck.attributes!.maleness).toBeGreaterThan(0.9);
    expect(structuredClone(franck)).toEqual(franck);
  });

  it("finds the same person in another picture of him, and not in another person's", async () => {
    const again = await measured(pictureOf("franck_04035.jpg"));
    const other = await measured(pictureOf("cage.jpg"));
    const another = await measured(pictureOf("cage2_crop.jpg"));
    expect(judgeComparison(franck, again, comparison, { use: "selfie" }).result).toBe("Positive");
    expect(judgeComparison(other, another, comparison, { use: "selfie" }).result).toBe("Positive");
    expect(judgeComparison(franck, other, comparison, { use: "selfie" }).result).toBe("Negative");
    expect(isSamePicture(franck, again)).toBe(false);
  });

  it("knows a picture again after scaling and recompression", async () => {
    const opened = await imaging.open(pictureOf("franck_02159.jpg"));
    const copy = await measured(await imaging.encodeJpeg(await imaging.resize(opened, 480, 384), 70));
    expect(isSamePicture(franck, copy)).toBe(true);
  });

  it("takes the face in the middle for the subject, though a bystander's is a little wider", async () => {
    const [subject, bystander] = await Promise.all(
      ["franck_02159.jpg", "cage.jpg"].map(async (name) => {
        const image = await imaging.open(pictureOf(name));
        return { image, face: (await measured(pictureOf(name))).face!.box };
      }),
    );
    const enlarged = (1.1 * subject!.face.width) / bystander!.face.width;
    const { width, height } = bystander!.image;
    const beside = await imaging.resize(
      bystander!.image,
      Math.round(width * enlarged),
      Math.round(height * enlarged),
    );
    const side = subject!.image.width;
    const scene = { width: 3 * side, height: Math.max(subject!.image.height, beside.height) };
    const canvas = { ...scene, data: new Uint8Array(scene.width * scene.height * 3).fill(128) };
    paste(canvas, beside, side - beside.width);
    paste(canvas, subject!.image, side);
    const seen = await measured(await imaging.encodeJpeg(canvas, 92));
    expect(seen.faceWidths[1]).toBeGreaterThan(1);
    expect(judgeComparison(franck, seen, comparison, { use: "selfie" }).result).toBe("Positive");
  });

  it("turns a picture that is upside down", async () => {
    const { width, height, data } = await imaging.open(pictureOf("franck_02159.jpg"));
    const turned = new Uint8Array(data.length);
    for (let i = 0; i < width * height; i++) {
      turned.set(data.subarray(3 * i, 3 * i + 3), data.length - 3 * i - 3);
    }
    const flipped = await measured(await imaging.encodeJpeg({ width, height, data: turned }, 92));
    expect(
      judgeComparison(franck, flipped, comparison, { use: "selfie" }).comparison!.cosines[0],
    ).toBeGreaterThan(0.98);
  });

  it.each([
    ["Live", "franck_02159.jpg"],
    ["Live", "franck_01829.jpg"],
    ["Live", "cage.jpg"],
    ["NoneBecauseEyesClosed", "franck_03979.jpg"],
    ["NoneBecauseFaceNotFound", "ironman.jpg"],
    ["NoneBecauseAngleTooLarge", "terminator_crop.jpg"],
  ] as const)("answers %s for %s", async (result, name) => {
    expect(judgeLiveness(await measure(pictureOf(name), wanted), liveness).result).toBe(result);
  });

  it.each([
    ["phone", { tiltDegrees: -5, gridPx: 2.4 }],
    ["monitor", { widthShare: 0.45, gridPx: 1.5 }],
    ["print", { keystone: -0.08, tiltDegrees: 6 }],
  ] as const)("answers NoLive for a face on a %s, for the frame around it", async (medium, change) => {
    const attack = await measured(await recaptured(engine, "franck_02159.jpg", { medium, ...change }));
    expect(attack.cues!.surround!.closedFrame).toBeGreaterThan(0.8);
    expect(judgeLiveness(attack, liveness).result).toBe("NoLive");
  });

  it("tells two faces, a face at the border, a small one and a dark one apart", async () => {
    const opened = await imaging.open(pictureOf("franck_02159.jpg"));
    const { width, height, data } = opened;
    const result = async (image: { width: number; height: number; data: Uint8Array }) =>
      judgeLiveness(await measure(await imaging.encodeJpeg(image, 92), wanted), liveness).result;
    const twice = new Uint8Array(data.length * 2);
    for (let y = 0; y < height; y++) {
      const row = data.subarray(y * width * 3, (y + 1) * width * 3);
      twice.set(row, 2 * y * width * 3);
      twice.set(row, (2 * y + 1) * width * 3);
    }
    expect(await result({ width: 2 * width, height, data: twice })).toBe("NoneBecauseTooManyFaces");
    expect(await result(await imaging.resize(opened, 144, 115))).toBe("NoneBecauseFaceTooSmall");
    expect(await result({ width, height, data: data.map((value) => value / 9) })).toBe(
      "NoneBecauseBadQuality",
    );
  });

  it("says of bytes that are no picture, or too small a picture, what they are", async () => {
    expect(await measure(new TextEncoder().encode("no picture"), wanted)).toMatchObject({
      kind: "unreadable",
    });
    expect(await measure(pictureOf("franck_02159.jpg").subarray(0, 300), wanted)).toMatchObject({
      kind: "unreadable",
    });
    const tiny = await imaging.encodePng({ width: 20, height: 20, data: new Uint8Array(1200) });
    expect(await measure(tiny, wanted)).toMatchObject({ kind: "unprepared" });
  });
});
