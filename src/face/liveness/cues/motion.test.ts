import { describe, expect, it } from "vitest";
import type { Image, Point } from "#imaging/image";
import { packFrames } from "../../engine/frames.ts";
import type { MeasuredPicture } from "../../measurement.ts";
import { defaultFacePolicy } from "../../policy.ts";
import { altered } from "../../testing/altered.ts";
import { openFaceEngine, pictureOf } from "../../testing/pictures.ts";
import { judgeLiveness } from "../judge-liveness.ts";

const { imaging, measure } = openFaceEngine();
const franck = (number: string) => pictureOf(`franck_${number}.jpg`);
const captured = async (frames: readonly Uint8Array[]): Promise<MeasuredPicture> => {
  const measured = await measure(packFrames(frames), { liveness: true, frames: true });
  if (measured.kind !== "measured") throw new Error(measured.kind);
  return measured;
};
const judged = (picture: MeasuredPicture) => judgeLiveness(picture, defaultFacePolicy.liveness);
const weightOf = (picture: MeasuredPicture) =>
  judged(picture).evidence.find(({ cue }) => cue === "motion")?.weight;

/** The picture as a sheet that fills the frame, turned about its upright axis before the camera. */
const turnedSheet = (image: Image, radians: number): Image => {
  const { width, height } = image;
  const corner = (sideX: number, sideY: number): Point => {
    const [x, y] = [(sideX * width) / 1.8, (sideY * height) / 1.8];
    const depth = 1 + (x * Math.sin(radians)) / (1.6 * width);
    return [width / 2 + (x * Math.cos(radians)) / depth, height / 2 + y / depth];
  };
  return imaging.rectify(image, [corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1)], width, height);
};

describe("several frames of one capture", () => {
  it("of a man who turns his head speak for him, and the answer says that it saw several", async () => {
    const alive = await captured([franck("02159"), franck("04035"), franck("04117")]);
    expect(alive.cues!.motion!.frames).toBe(3);
    expect(alive.cues!.motion!.parallax).toBeGreaterThan(0.05);
    expect(weightOf(alive)).toBeLessThan(-0.2);
    expect(judged(alive)).toMatchObject({ result: "Live", assurance: "multi-frame" });
  });

  it("of a man who blinks speak for him", async () => {
    const blinking = await captured([franck("02221"), franck("03979")]);
    expect(blinking.cues!.motion!.eyes![0]).toBeLessThan(0.12);
    expect(weightOf(blinking)).toBeLessThanOrEqual(-0.2);
  });

  it("of a sheet that is turned before the camera are an attack, though each frame alone passes", async () => {
    const frames = await Promise.all(
      [0, 0.5].map((turn) => altered(imaging, franck("02159"), (image) => turnedSheet(image, turn))),
    );
    for (const frame of frames) expect(judged(await captured([frame])).result).toBe("Live");
    const sheet = await captured(frames);
    expect(sheet.cues!.motion!.parallax).toBeLessThan(0.035);
    expect(judged(sheet)).toMatchObject({ result: "NoLive", assurance: "multi-frame" });
  });

  it("say nothing where nothing moved, or where another person stands in for movement", async () => {
    const still = await captured([franck("02159"), franck("02159")]);
    expect(weightOf(still)).toBeUndefined();
    expect(judged(still).assurance).toBe("advisory");
    expect((await captured([franck("02159"), pictureOf("cage.jpg")])).cues!.motion).toBeUndefined();
    expect((await captured([franck("02159"), new Uint8Array([1, 2])])).cues!.motion).toBeUndefined();
  });
});
