import { describe, expect, it } from "vitest";
import type { Image, Point } from "#machine/imaging/image";
import { altered } from "#support/face/altered";
import { imageOf, openFaceEngine } from "#support/face/images";
import { packFrames } from "../../engine/frames.ts";
import type { MeasuredImage } from "../../measurement.ts";
import { defaultFacePolicy } from "../../policy.ts";
import { judgeLiveness } from "../judge-liveness.ts";

const { imaging, measure } = openFaceEngine();
const franck = (number: string) => imageOf(`franck_${number}.jpg`);
const captured = async (frames: readonly Uint8Array[]): Promise<MeasuredImage> => {
  const measured = await measure(packFrames(frames), { liveness: true, frames: true });
  if (measured.kind !== "measured") throw new Error(measured.kind);
  return measured;
};
const judged = (image: MeasuredImage) => judgeLiveness(image, defaultFacePolicy.liveness);
const weightOf = (image: MeasuredImage) => judged(image).evidence.find(({ cue }) => cue === "motion")?.weight;

/** The image as a sheet that fills the frame, rotated about its vertical axis before the camera. */
const rotatedSheet = (image: Image, radians: number): Image => {
  const { width, height } = image;
  const corner = (sideX: number, sideY: number): Point => {
    const [x, y] = [(sideX * width) / 1.8, (sideY * height) / 1.8];
    const depth = 1 + (x * Math.sin(radians)) / (1.6 * width);
    return [width / 2 + (x * Math.cos(radians)) / depth, height / 2 + y / depth];
  };
  return imaging.rectify(image, [corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1)], width, height);
};

describe("several frames of one capture", () => {
  it("of a man who moves his head are evidence for him, and the assurance level states several frames", async () => {
    const alive = await captured([franck("02159"), franck("04035"), franck("04117")]);
    expect(alive.cues!.motion!.frames).toBe(3);
    expect(alive.cues!.motion!.along).toBeGreaterThan(0.1);
    expect(weightOf(alive)).toBeLessThan(-0.2);
    expect(judged(alive)).toMatchObject({ result: "Live", assurance: "multi-frame" });
  });

  it("of a man who blinks are evidence for him", async () => {
    const blinking = await captured([franck("02221"), franck("03979")]);
    expect(blinking.cues!.motion!.eyes![0]).toBeLessThan(0.12);
    expect(weightOf(blinking)).toBeLessThanOrEqual(-0.2);
  });

  it("of a sheet that rotates before the camera are an attack, though each frame alone passes", async () => {
    const frames = await Promise.all(
      [0, 0.5].map((turn) => altered(imaging, franck("02159"), (image) => rotatedSheet(image, turn))),
    );
    for (const frame of frames) expect(judged(await captured([frame])).result).toBe("Live");
    const sheet = await captured(frames);
    expect(sheet.cues!.motion!.relief).toBeLessThan(0.06);
    expect(judged(sheet)).toMatchObject({ result: "NoLive", assurance: "multi-frame" });
  });

  it("are neutral without motion, and with another person in place of motion", async () => {
    const still = await captured([franck("02159"), franck("02159")]);
    expect(weightOf(still)).toBeUndefined();
    expect(judged(still).assurance).toBe("advisory");
    expect((await captured([franck("02159"), imageOf("cage.jpg")])).cues!.motion).toBeUndefined();
    expect((await captured([franck("02159"), new Uint8Array([1, 2])])).cues!.motion).toBeUndefined();
  });
});
