import { expect, it } from "vitest";
import { packFrames } from "#judging/face/engine/frames";
import type { FaceEngine } from "#judging/face/measurement";
import { goodImage } from "#support/face/measured";
import { makeFindImage } from "./find-image.ts";
import { writeMark } from "./mark.ts";
import type { Persona, Steering } from "./persona.ts";
import { refuseMarkedFaces, steerFaces } from "./steer-faces.ts";

const jpeg = Uint8Array.from([0xff, 0xd8, 0xff, 0xd9]);
const drawing = { kind: "face", name: "selfie" } as const;
const personaOf = (name: string, steering?: Steering): Persona => ({
  name,
  story: "",
  produces: [],
  images: { selfie: { drawing, ...(steering && { steering }) } },
  calls: [],
});

const closed: Steering = {
  kind: "face",
  change: (measured) => ({ ...measured, faceWidths: [1, 1] }),
};
const personas = [
  personaOf("judged"),
  personaOf("steered", closed),
  personaOf("broken", { kind: "failure", code: "engine_busy", at: "measure" }),
  personaOf("slow", { kind: "delay", ms: 700 }),
];

const asked: Uint8Array[] = [];
const engine: FaceEngine = {
  measure: async (bytes) => {
    asked.push(bytes);
    return goodImage;
  },
};
const paused: number[] = [];
const test = steerFaces(engine, makeFindImage(personas), async (ms) => {
  paused.push(ms);
});
const live = refuseMarkedFaces(engine);
const marked = (name: string) => writeMark(jpeg, `${name}/selfie`);

it("measures an unmarked image as ever, in both environments", async () => {
  expect(await test.measure(jpeg, {})).toBe(goodImage);
  expect(await live.measure(jpeg, {})).toBe(goodImage);
});

it("leaves an image to the engines whose mark steers nothing", async () => {
  expect(await test.measure(marked("judged"), {})).toEqual(goodImage);
});

it("hands the marked bytes to the engine unchanged, and names the persona in a steered measurement", async () => {
  const bytes = marked("steered");
  expect(await test.measure(bytes, {})).toEqual({ ...goodImage, faceWidths: [1, 1], persona: "steered" });
  expect(asked.at(-1)).toBe(bytes);
});

it("reads the mark of the first of several frames", async () => {
  const frames = packFrames([marked("steered"), jpeg]);
  expect(await test.measure(frames, { frames: true })).toMatchObject({ persona: "steered" });
  expect(await test.measure(packFrames([jpeg, marked("steered")]), { frames: true })).toBe(goodImage);
});

it("fails and waits as a mark asks", async () => {
  await expect(test.measure(marked("broken"), {})).rejects.toMatchObject({
    code: "engine_busy",
    facts: { persona: "broken" },
  });
  await test.measure(marked("slow"), {});
  expect(paused).toEqual([700]);
});

it("refuses the mark of no persona, which another release may have written", async () => {
  await expect(test.measure(marked("removed"), {})).rejects.toMatchObject({
    code: "persona_refused",
    facts: { reason: "unknown", persona: "removed/selfie" },
  });
});

it("refuses every mark to live keys, in any frame, before the engine has the image", async () => {
  const before = asked.length;
  const frames = packFrames([jpeg, marked("judged")]);
  for (const [bytes, wanted] of [
    [marked("judged"), {}],
    [marked("removed"), {}],
    [frames, { frames: true }],
  ] as const) {
    await expect(live.measure(bytes, wanted)).rejects.toMatchObject({
      code: "persona_refused",
      facts: { reason: "live" },
    });
  }
  expect(asked.length).toBe(before);
});
