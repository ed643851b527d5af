import { describe, expect, it } from "vitest";
import {
  bentSheet,
  drawFrame,
  flatSheet,
  foldedSheet,
  makeHead,
  type Pose,
  rolledSheet,
  type SceneFrame,
  type Thing,
} from "#support/face/motion/scene";
import { type Followed, makeFollow } from "./follow.ts";

const follow = makeFollow();
const front: Pose = { yaw: 0, pitch: 0 };

/** The first frame with its landmarks, the others with their eyes alone. */
const followed = ([first, ...others]: readonly SceneFrame[]): Followed | undefined =>
  first &&
  follow(
    first,
    others.map(({ image, eyes }) => ({ image, eyes })),
  );

/** Four frames of a thing that rotates from the front to this pose, while the exposure falls. */
const rotating = (thing: Thing, to: Partial<Pose>): Followed =>
  followed(
    [0, 1, 2, 3].map((k) =>
      drawFrame(thing, {
        yaw: ((to.yaw ?? 0) * k) / 3,
        pitch: ((to.pitch ?? 0) * k) / 3,
        exposure: 1 - 0.03 * k,
      }),
    ),
  )!;

const sine = (degrees = 0): number => Math.sin((degrees * Math.PI) / 180);

describe("what is followed of a head", () => {
  it.each([{ yaw: 18 }, { yaw: -18 }, { pitch: 15 }, { pitch: -15 }])("shows its rotation: %o", (to) => {
    const { b, pointsFirstToLast, pointsBetweenMin } = rotating(makeHead(), to);
    const asked = { x: sine(to.yaw), y: sine(to.pitch) };
    const along = (b!.x * asked.x + b!.y * asked.y) / Math.hypot(asked.x, asked.y) ** 2;
    const aside = (b!.x * asked.y - b!.y * asked.x) / Math.hypot(asked.x, asked.y) ** 2;
    expect(along).toBeGreaterThan(0.6);
    expect(along).toBeLessThan(1.15);
    expect(Math.abs(aside)).toBeLessThan(0.1);
    expect(pointsFirstToLast).toBeGreaterThan(200);
    expect(pointsBetweenMin).toBeGreaterThanOrEqual(pointsFirstToLast);
  });

  it("grows with its height, and its steps sum up to it", () => {
    const [low, high] = [rotating(makeHead(0.85), { yaw: 15 }), rotating(makeHead(1.15), { yaw: 15 })];
    expect(high.b!.x / low.b!.x).toBeCloseTo(1.15 / 0.85, 0);
    const sum = high.pairs.reduce((total, { b }) => total + b!.x, 0);
    expect(Math.abs(sum / high.b!.x - 1)).toBeLessThan(0.2);
  });
});

describe("what is followed of a sheet", () => {
  it.each([
    ["flat", flatSheet],
    ["round a head", bentSheet(1.27)],
    ["bent", bentSheet(2.4)],
    ["hollow", bentSheet(-2.4)],
    ["bent about a level axis", rolledSheet(2.4)],
    ["folded along the nose", foldedSheet(25)],
  ] as const)("shows no rotation: %s", (_, sheet) => {
    const [aside, down] = [rotating(sheet, { yaw: 25 }), rotating(sheet, { pitch: 20 })];
    for (const { b, pointsFirstToLast } of [aside, down]) {
      expect(Math.hypot(b!.x, b!.y)).toBeLessThan(0.03);
      expect(pointsFirstToLast).toBeGreaterThan(200);
    }
  });

  it("that bends between the frames shows none", () => {
    const frames = [8, 4, 2.4].map((radius) => drawFrame(bentSheet(radius), front));
    const { b } = followed(frames)!;
    expect(Math.hypot(b!.x, b!.y)).toBeLessThan(0.03);
  });
});

describe("a step between frames", () => {
  it("is measured in eye distances of its earlier frame", () => {
    const frames = [7.1, 7.1, 6.45].map((distance, k) =>
      drawFrame(flatSheet, { ...front, distance, shift: [k === 0 ? 0 : 0.3, 0] }),
    );
    const { eyeStepMax, iedStepMax, pairs } = followed(frames)!;
    expect(pairs.map(({ eyeStep }) => eyeStep)[0]).toBeCloseTo(0.3, 2);
    expect(eyeStepMax).toBe(Math.max(...pairs.map(({ eyeStep }) => eyeStep)));
    expect(iedStepMax).toBeCloseTo(0.1, 1);
    expect(pairs[0]!.iedStep).toBeCloseTo(0, 3);
  });

  it("to another image follows nothing and has no rotation, and loses the sequence", () => {
    const [one, two] = [drawFrame(flatSheet, front), drawFrame(flatSheet, { ...front, yaw: 4 })];
    const mirrored = two.image.data.map((_, i) => two.image.data[i - 2 * (i % 240) + 239]!);
    const other = { ...two, image: { ...two.image, data: mirrored } };
    const { b, pointsFirstToLast, pointsBetweenMin, pairs } = followed([one, two, other])!;
    expect(pairs[0]!.points).toBeGreaterThan(250);
    expect(pairs[0]!.b).toBeDefined();
    expect([pointsFirstToLast, pointsBetweenMin].every((points) => points < 60)).toBe(true);
    expect([b, pairs[1]!.b]).toEqual([undefined, undefined]);
  });

  it("begins where the network's landmarks moved to, if they are given", () => {
    const [one, far] = [drawFrame(makeHead(), front), drawFrame(makeHead(), { ...front, yaw: 24 })];
    const [alone, led] = [follow(one, [{ image: far.image, eyes: far.eyes }]), follow(one, [far])];
    expect(led!.pointsFirstToLast).toBeGreaterThan(alone!.pointsFirstToLast);
  });
});

describe("a sequence that cannot be followed", () => {
  it("has one frame, or eyes that fix no crop", () => {
    const frame = drawFrame(flatSheet, front);
    expect(follow(frame, [])).toBeUndefined();
    const near = [
      [100, 100],
      [107.9, 100],
    ] as const;
    expect(follow(frame, [{ ...frame, eyes: near }])).toBeUndefined();
    expect(follow(frame, [{ ...frame, eyes: [near[0], [108, 100]] }])).toBeDefined();
    expect(follow(frame, [{ ...frame, eyes: [near[0], [Number.NaN, 100]] }])).toBeUndefined();
  });
});
