import { expect, it } from "vitest";
import { imageOf, openFaceEngine, readCohort } from "#support/face/images";
import { cosine } from "../matching/fusion.ts";
import { unpackTemplate } from "../matching/template.ts";
import { vectorsOf } from "../matching/template-kinds.ts";
import { defaultFacePolicy } from "../policy.ts";
import { defaultBlendPolicy, makeBlendFrames } from "./blend-frames.ts";

const { measure } = openFaceEngine();
const blend = makeBlendFrames({ measureFace: measure, cohort: readCohort(), policy: defaultBlendPolicy });
const gates = defaultFacePolicy.comparison;
// Frames of one man, minutes of a video apart, and another person.
const man = ["franck_02159.jpg", "franck_04035.jpg", "franck_02683.jpg", "franck_01829.jpg"].map(imageOf);
const other = imageOf("audrey.jpg");
const vector = (template: Uint8Array | undefined) => vectorsOf(unpackTemplate(template!)!)[0]!;

it("joins the best image with frames of the same person alone, three at most", async () => {
  const { template, used, models } = await blend([man[0]!, other, ...man.slice(1)], gates);
  expect(used[0]).toBe(0);
  expect(used).not.toContain(1);
  expect(used.length).toBe(3);
  expect(models).toHaveProperty("dlib-resnet");
  const alone = await blend([man[0]!], gates);
  expect(alone.used).toEqual([0]);
  // A frame that is no part of either: the mean is nearer to it.
  const unseen = vector((await blend([man[3]!], gates)).template);
  expect(cosine(vector(template), unseen)).toBeGreaterThan(cosine(vector(alone.template), unseen));
});

it("leaves out the same image, a poor one and bytes that are none, and gives nothing without a best image", async () => {
  const none = new TextEncoder().encode("no image");
  expect((await blend([man[0]!, man[0]!, none, man[1]!], gates)).used).toEqual([0, 3]);
  expect((await blend([man[0]!, man[1]!], { ...gates, eyeDistancePxMin: 10_000 })).used).toEqual([0]);
  expect(await blend([none, man[0]!], gates)).toEqual({ used: [], models: {} });
});
