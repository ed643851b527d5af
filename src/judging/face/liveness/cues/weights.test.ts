import { describe, expect, it } from "vitest";
import { goodImage, plainCues, withCues } from "#support/face/measured";
import {
  bentSheet,
  drawFrame,
  flatSheet,
  foldedSheet,
  makeHead,
  type Thing,
} from "#support/face/motion/scene";
import type { LivenessCues, MeasuredImage } from "../../measurement.ts";
import { makeFollow } from "../../motion/follow.ts";
import type { CueName } from "./cue.ts";
import { weighCues } from "./list.ts";
import type { Motion } from "./measured-cues.ts";
import { type FrameFace, measureMotion, showsMotion } from "./motion.ts";
import { resubmittedReference } from "./resubmitted.ts";

const weightOf = (name: CueName, change: Partial<LivenessCues>): number | undefined =>
  weighCues(withCues(change)).find(({ cue }) => cue === name)?.weight;

const framed = (closedFrame: number, openFrame = 0) => ({
  surround: { closedFrame, openFrame, corners: [] },
});
const rimmed = (rim: number) => ({ surround: { closedFrame: 0.6, openFrame: 0, corners: [], rim } });
const light = (change: Partial<LivenessCues["light"]>) => ({ light: { ...plainCues.light, ...change } });

type Row = readonly [
  name: CueName,
  of: (value: number) => Partial<LivenessCues>,
  points: readonly (readonly number[])[],
];

/**
 * Natural logs of likelihood ratios: measured where the cue's file names the measurement, else chosen small.
 */
const rows: readonly Row[] = [
  [
    "frame-around-face",
    (share) => framed(share),
    [
      [0.3, -0.5],
      [0.5, -0.5],
      [0.575, -0.25],
      [0.65, 0],
      [0.75, 1.2],
      [0.8, 2.5],
      [0.85, 3.5],
      [0.95, 5],
      [1, 5],
    ],
  ],
  [
    "open-frame-around-face",
    (share) => framed(0.79, share),
    [
      [0.5, 0],
      [0.8, 0],
      [0.9, 1.2],
      [0.97, 2.8],
      [1, 2.8],
    ],
  ],
  // A closed frame replaces the open one.
  ["open-frame-around-face", (share) => framed(0.8, share), [[0.97, 0]]],
  [
    "rim-around-frame",
    rimmed,
    [
      [0, -0.8],
      [0.3, -0.8],
      [0.45, 0],
      [0.65, 1.2],
      [1, 1.2],
    ],
  ],
  [
    "moire",
    (peakDecibels) => ({ moire: { peakDecibels, periodPx: 3 } }),
    [
      [0, -0.3],
      [8, -0.3],
      [11, 0],
      [14, 2.2],
      [18, 4],
      [40, 4],
    ],
  ],
  [
    "network",
    (live) => ({ network: { live } }),
    [
      [0, 4],
      [0.02, 4],
      [0.2, 2.5],
      [0.5, 1],
      [0.8, 0],
      [0.97, -1.5],
      [1, -1.5],
    ],
  ],
  [
    "lifted-black",
    (blackLevel) => light({ blackLevel }),
    [
      [0, -0.2],
      [15, -0.2],
      [45, 0],
      [70, 0.7],
      [255, 0.7],
    ],
  ],
  [
    "poor-colour",
    (faceChroma) => light({ faceChroma }),
    [
      [0, 0.6],
      [6, 0.6],
      [25, 0],
      [50, -0.2],
      [255, -0.2],
    ],
  ],
  [
    "flat-highlights",
    (highlights) => light({ highlights }),
    [
      [1, 0.5],
      [1.15, 0.5],
      [1.35, 0],
      [1.7, -0.2],
      [3, -0.2],
    ],
  ],
  [
    "even-focus",
    (focusRatio) => light({ focusRatio }),
    [
      [0, 0.3],
      [0.6, 0.3],
      [1.3, 0],
      [3, -0.3],
      [9, -0.3],
    ],
  ],
  [
    "compressed-twice",
    (doubleQuantisation) => ({ compression: { doubleQuantisation } }),
    [
      [0, 0],
      [0.35, 0],
      [0.7, 0.4],
      [2, 0.4],
    ],
  ],
];

describe("the weight of a cue", () => {
  it.each(rows)("%s rises and falls through its points", (name, of, points) => {
    const found = points.map(([value = Number.NaN]) => weightOf(name, of(value)));
    expect(found).toEqual(points.map(([, weight]) => expect.closeTo(weight ?? Number.NaN, 9)));
  });

  it("of a rim counts only beside a frame", () => {
    const beside = (closedFrame: number) =>
      weightOf("rim-around-frame", { surround: { closedFrame, openFrame: 0, corners: [], rim: 1 } });
    expect([beside(0.599), beside(0.6)]).toEqual([undefined, 1.2]);
    expect(weightOf("rim-around-frame", framed(1))).toBeUndefined();
  });

  it("of a resubmitted reference decides alone", () => {
    expect(resubmittedReference).toEqual({ cue: "resubmitted-reference", weight: 8 });
  });

  it("of a file's own data is 1.5 for an editor and a screenshot, else 0 or none", () => {
    const fileWeight = (name: CueName, change: Partial<MeasuredImage["file"]>) =>
      weighCues({ ...goodImage, file: { ...goodImage.file, ...change } }).find(({ cue }) => cue === name)
        ?.weight;
    const edited = (exifSoftware?: string) =>
      fileWeight("editing-software", { hasExif: true, ...(exifSoftware !== undefined && { exifSoftware }) });
    expect([edited("GIMP 3.2"), edited("Camera 1"), edited(), fileWeight("editing-software", {})]).toEqual([
      1.5,
      0,
      0,
      undefined,
    ]);
    const png = { format: "png", width: 2532, height: 1170 } as const;
    expect(fileWeight("screen-sized-file", png)).toBe(1.5);
    expect(fileWeight("screen-sized-file", { ...png, exifCamera: "ACME" })).toBe(0);
    expect(fileWeight("screen-sized-file", { ...png, width: 2533 })).toBe(0);
    expect(fileWeight("screen-sized-file", { width: 1170, height: 2532 })).toBeUndefined();
  });
});

const still: Motion = { frames: 2, relief: 0.001, along: 0, alongShare: 0, tilt: 0, tiltResidual: 0 };
const flat: Motion = { ...still, relief: 0.02, tilt: 0.1, tiltResidual: 0.02 };
const head: Motion = { ...still, relief: 0.3, along: 0.1, alongShare: 0.35, tilt: 0.2, tiltResidual: 0.1 };
const weightOfMotion = (motion: Motion) => weightOf("motion", { motion });

describe("the weight of motion", () => {
  it.each([
    ["a sheet at the least tilt", { ...flat, tilt: 0.06, tiltResidual: 0.01 }, 1.2],
    ["a sheet that hardly tilts", { ...flat, tilt: 0.0599, tiltResidual: 0.01 }, undefined],
    ["a sheet", flat, 3.5],
    ["a sheet at a large tilt", { ...flat, tilt: 0.15 }, 4.5],
    ["a sheet at a larger tilt", { ...flat, tilt: 0.9 }, 4.5],
    ["a residual just under a sheet's, by its tilt", { ...flat, tiltResidual: 0.0269 }, 3.5],
    ["the residual of a head, by its tilt", { ...flat, tiltResidual: 0.0271 }, undefined],
    ["a residual just under a sheet's", { ...flat, tilt: 0.2, tiltResidual: 0.0299 }, 4.5],
    ["the residual of a head", { ...flat, tilt: 0.2, tiltResidual: 0.03 }, undefined],
    ["relief just under a flat sheet's", { ...flat, relief: 0.0599 }, 3.5],
    ["more relief than a flat sheet's", { ...flat, relief: 0.06 }, undefined],
    ["the least rotation of a head", head, -0.2],
    ["a smaller rotation", { ...head, along: 0.0999 }, undefined],
    [
      "too small a share of the stated rotation, as of a bent print",
      { ...head, alongShare: 0.3499 },
      undefined,
    ],
    ["more rotation", { ...head, along: 0.15 }, -0.35],
    ["a large rotation", { ...head, along: 0.2 }, -0.5],
    ["a larger rotation", { ...head, along: 0.9 }, -0.5],
  ] as const)("of %s is as measured", (_, motion, weight) => {
    expect(weightOfMotion(motion)).toEqual(weight === undefined ? undefined : expect.closeTo(weight, 9));
  });

  it.each([
    ["a blink", [0.11, 0.17], true],
    ["lids that hardly close", [0.12, 0.17], false],
    ["lids that hardly open", [0.11, 0.16], false],
    ["open eyes", [0.2, 0.22], false],
  ] as const)("%s shows motion: %s%s", (_, eyes, isShown) => {
    expect(showsMotion({ ...still, eyes })).toBe(isShown);
    expect(weightOfMotion({ ...still, eyes })).toEqual(isShown ? expect.closeTo(-0.2, 9) : undefined);
  });

  it("adds a blink to a rotation, and is none without either", () => {
    expect(weightOfMotion({ ...head, along: 0.2, eyes: [0.05, 0.2] })).toBeCloseTo(-0.7, 9);
    expect([showsMotion(still), weightOfMotion(still)]).toEqual([false, undefined]);
  });
});

const follow = makeFollow();
/** A drawn frame with the pose that a network would state for it. */
const frameOf = (thing: Thing, yaw: number, eye?: number): FrameFace => ({
  ...drawFrame(thing, { yaw, pitch: 0 }),
  pose: { yawDegrees: yaw, pitchDegrees: 0, rollDegrees: 0 },
  ...(eye !== undefined && { eyeOpenness: [eye, 0] }),
});

describe("the motion between frames", () => {
  it("needs two frames that can be followed", () => {
    const one = frameOf(makeHead(), 0);
    expect(measureMotion([], follow)).toBeUndefined();
    expect(measureMotion([one], follow)).toBeUndefined();
    const blank = { ...one, image: { ...one.image, data: one.image.data.map(() => 90) } };
    expect(measureMotion([one, blank], follow)).toBeUndefined();
  });

  it("is that of the frame that rotated most, and of the wider eye over all frames", () => {
    const motion = measureMotion(
      [frameOf(makeHead(), 0, 0.3), frameOf(makeHead(), 15, 0.05), frameOf(makeHead(), 2)],
      follow,
    )!;
    expect(motion).toMatchObject({ frames: 3, eyes: [0.05, 0.3] });
    expect(weightOfMotion({ ...motion, eyes: [0.3, 0.3] })).toBeLessThan(-0.2);
    expect(motion.along).toBeCloseTo(motion.relief, 2);
    expect(measureMotion([frameOf(makeHead(), 0, 0.3), frameOf(makeHead(), 2)], follow)).not.toHaveProperty(
      "eyes",
    );
  });

  it("speaks for a person only along the rotation that the poses state", () => {
    const down = { ...frameOf(makeHead(), 0), ...drawFrame(makeHead(), { yaw: 0, pitch: 14 }) };
    const stated = (pitchDegrees: number) =>
      measureMotion([frameOf(makeHead(), 0), { ...down, pose: { ...down.pose, pitchDegrees } }], follow)!;
    // The pitch of a pose falls when the face rotates downwards (pose.ts).
    expect(weightOfMotion(stated(-14))).toBeLessThan(-0.2);
    expect(stated(14).along).toBeLessThan(0);
    expect(weightOfMotion(stated(14))).toBeUndefined();
  });

  it.each([
    ["flat", flatSheet],
    ["bent", bentSheet(1.27)],
    ["folded", foldedSheet(25)],
  ] as const)("of a %s sheet never speaks for a person", (_, sheet) => {
    const motion = measureMotion([frameOf(sheet, 0), frameOf(sheet, 25)], follow)!;
    expect(motion.along).toBeLessThan(0.03);
    expect(weightOfMotion(motion) ?? 0).toBeGreaterThanOrEqual(0);
    if (sheet === flatSheet) expect(weightOfMotion(motion)).toBeGreaterThan(3);
  });
});
