import { describe, expect, it } from "vitest";
import type { Image } from "#machine/imaging/image";
import { imageOf, openFaceEngine, recaptured } from "#support/face/images";
import { judgeLiveness } from "../liveness/judge-liveness.ts";
import { isSameImage } from "../liveness/resubmission.ts";
import { judgeComparison } from "../matching/judge-comparison.ts";
import type { MeasuredImage } from "../measurement.ts";
import { defaultFacePolicy } from "../policy.ts";

const engine = openFaceEngine();
const { imaging, measure } = engine;
const { comparison, liveness } = defaultFacePolicy;
const wanted = { template: true, liveness: true, attributes: true };

const measured = async (bytes: Uint8Array): Promise<MeasuredImage> => {
  const measurement = await measure(bytes, wanted);
  if (measurement.kind !== "measured") throw new Error(`the image was ${measurement.kind}`);
  return measurement;
};
/**
 * Copies an image to the top of another, with its left side at column `left`. A part beyond the left border
 * is cut.
 */
const paste = (onto: Image, image: Image, left: number): void => {
  const cut = Math.max(0, -left);
  for (let y = 0; y < image.height; y++) {
    const row = image.data.subarray((y * image.width + cut) * 3, (y + 1) * image.width * 3);
    onto.data.set(row, (y * onto.width + left + cut) * 3);
  }
};
const franck = await measured(imageOf("franck_02159.jpg"));

describe("measuring real images", () => {
  it("finds one face, its pose and its eyes, and survives a structured clone", () => {
    expect(franck.faceWidths).toEqual([1]);
    expect(franck.face!.confidence).toBeGreaterThan(0.8);
    expect(Math.abs(franck.face!.pose.yawDegrees)).toBeLessThan(15);
    expect(Math.min(...franck.face!.eyeOpenness!)).toBeGreaterThan(0.15);
    expect(franck.attributes!.maleness).toBeGreaterThan(0.9);
    expect(structuredClone(franck)).toEqual(franck);
  });

  it("recognises the same person in another image, and not in an image of another person", async () => {
    const again = await measured(imageOf("franck_04035.jpg"));
    const other = await measured(imageOf("cage.jpg"));
    const another = await measured(imageOf("cage2_crop.jpg"));
    expect(judgeComparison(franck, again, comparison, { use: "selfie" }).result).toBe("Positive");
    expect(judgeComparison(other, another, comparison, { use: "selfie" }).result).toBe("Positive");
    expect(judgeComparison(franck, other, comparison, { use: "selfie" }).result).toBe("Negative");
    expect(isSameImage(franck, again)).toBe(false);
  });

  it("recognises an image after scaling and recompression", async () => {
    const opened = await imaging.open(imageOf("franck_02159.jpg"));
    const copy = await measured(await imaging.encodeJpeg(await imaging.resize(opened, 480, 384), 70));
    expect(isSameImage(franck, copy)).toBe(true);
  });

  it("selects the face in the middle as the subject, although another face is slightly wider", async () => {
    const [subject, otherFace] = await Promise.all(
      ["franck_02159.jpg", "cage.jpg"].map(async (name) => {
        const image = await imaging.open(imageOf(name));
        return { image, face: (await measured(imageOf(name))).face!.box };
      }),
    );
    const enlarged = (1.1 * subject!.face.width) / otherFace!.face.width;
    const { width, height } = otherFace!.image;
    const beside = await imaging.resize(
      otherFace!.image,
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

  it("rotates an upside-down image", async () => {
    const { width, height, data } = await imaging.open(imageOf("franck_02159.jpg"));
    const rotated = new Uint8Array(data.length);
    for (let i = 0; i < width * height; i++) {
      rotated.set(data.subarray(3 * i, 3 * i + 3), data.length - 3 * i - 3);
    }
    const flipped = await measured(await imaging.encodeJpeg({ width, height, data: rotated }, 92));
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
    expect(judgeLiveness(await measure(imageOf(name), wanted), liveness).result).toBe(result);
  });

  it.each([
    ["phone", { tiltDegrees: -5, gridPx: 2.4 }],
    ["monitor", { widthShare: 0.45, gridPx: 1.5 }],
    ["print", { keystone: -0.08, tiltDegrees: 6 }],
  ] as const)("answers NoLive for a face on a %s, because of the frame around it", async (medium, change) => {
    const attack = await measured(await recaptured(engine, "franck_02159.jpg", { medium, ...change }));
    expect(attack.cues!.surround!.closedFrame).toBeGreaterThan(0.8);
    expect(judgeLiveness(attack, liveness).result).toBe("NoLive");
  });

  it("distinguishes two faces, a face at the border, a small one and a dark one", async () => {
    const opened = await imaging.open(imageOf("franck_02159.jpg"));
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

  it("reports bytes that are not an image, and an image that is too small", async () => {
    expect(await measure(new TextEncoder().encode("no picture"), wanted)).toMatchObject({
      kind: "unreadable",
    });
    expect(await measure(imageOf("franck_02159.jpg").subarray(0, 300), wanted)).toMatchObject({
      kind: "unreadable",
    });
    const tiny = await imaging.encodePng({ width: 20, height: 20, data: new Uint8Array(1200) });
    expect(await measure(tiny, wanted)).toMatchObject({ kind: "unprepared" });
  });
});
