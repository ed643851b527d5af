import { describe, expect, it } from "vitest";
import { openFaceEngine } from "#support/face/images";
import { openRecord } from "#support/networks/open-record";
import { shapeOf } from "./drawn-person.ts";
import { type FaceScan, scanFace } from "./face-scan.ts";
import { drawTurningHead, type HeadKind, headKinds } from "./turning-head.ts";

const { imaging, measure } = openFaceEngine();
const recorded = openRecord(import.meta.url);
let scanned: FaceScan | undefined;

/** Scanning takes two seconds of a processor. */
const scan = (): FaceScan => {
  scanned ??= scanFace(shapeOf(1, "F"), {
    side: 300,
    light: [0.3, 0.4, 0.9],
    background: [150, 150, 150],
    seed: 1,
  });
  return scanned;
};

const draw = (kind: HeadKind, yaw: number, pitch: number) =>
  drawTurningHead(scan(), kind, { yaw, pitch }, { width: 480, height: 640, wall: () => [170, 168, 160] });

const poseOf = async (kind: HeadKind, yaw: number, pitch: number) => {
  const measured = await recorded(`${kind} ${yaw} ${pitch}`, async () =>
    measure(await imaging.encodeJpeg(draw(kind, yaw, pitch), 90), {}),
  );
  if (measured.kind !== "measured" || measured.face === undefined) throw new Error("no face was found");
  expect(measured.faceWidths).toHaveLength(1);
  expect(measured.face.presence).toBeGreaterThan(0.9);
  return measured.face.pose;
};

describe("a drawn head", () => {
  it("is one face for the engine, whose pose follows the angle: left is positive yaw, up positive pitch", async () => {
    const front = await poseOf("head", 0, 0);
    const left = await poseOf("head", 20, 0);
    const right = await poseOf("head", -20, 0);
    const down = await poseOf("head", 0, 18);
    const up = await poseOf("head", 0, -18);
    expect(left.yawDegrees - front.yawDegrees).toBeGreaterThan(12);
    expect(front.yawDegrees - right.yawDegrees).toBeGreaterThan(12);
    expect(front.pitchDegrees - down.pitchDegrees).toBeGreaterThan(10);
    expect(up.pitchDegrees - front.pitchDegrees).toBeGreaterThan(10);
  });

  it.each(headKinds.filter((kind) => kind !== "head"))(
    "is one face for the engine as a %s print",
    async (kind) => {
      await poseOf(kind, 0, 0);
      await poseOf(kind, 20, 0);
    },
  );

  it("is the same image for the same arguments, and another for another light", () => {
    expect(draw("head", 10, 5).data).toEqual(draw("head", 10, 5).data);
    const frame = { width: 48, height: 64, wall: () => [0, 0, 0] as const };
    const lit = (light: number) =>
      drawTurningHead(scan(), "flat", { yaw: 0, pitch: 0 }, { ...frame, light }).data.reduce(
        (a, b) => a + b,
        0,
      );
    expect(lit(0.5)).toBeLessThan(0.6 * lit(1));
  });
});
