import { expect, it } from "vitest";
import { axisVector, vectorAt } from "#support/face/templates";
import { blendTemplates } from "./blend-templates.ts";
import { cosine } from "./fusion.ts";
import { packSingle } from "./single-template.ts";
import { unpackTemplate } from "./template.ts";
import { vectorsOf } from "./template-kinds.ts";

const recogniser = "ab".repeat(40);
const cohort = { faces: [] };
const single = (value: number, name = recogniser) =>
  packSingle({ recogniser: name, vector: vectorAt(value, 64) });
const vectorIn = (template: Uint8Array | undefined) => {
  const opened = template && unpackTemplate(template);
  return opened && vectorsOf(opened)[0];
};

it("is the normalised mean: nearer to each part than the parts are to each other", () => {
  const [a, b] = [single(0.95), single(1)];
  const mean = vectorIn(blendTemplates([a, b], cohort))!;
  const apart = cosine(vectorIn(a)!, vectorIn(b)!);
  expect(cosine(mean, vectorIn(a)!)).toBeGreaterThan(apart);
  expect(cosine(mean, axisVector(64))).toBeGreaterThan(apart);
  expect(cosine(mean, mean)).toBeCloseTo(1, 6);
});

it("of one template has its vector", () => {
  expect(cosine(vectorIn(blendTemplates([single(0.8)], cohort))!, vectorIn(single(0.8))!)).toBeCloseTo(1, 6);
});

it("is none without templates, of two recognisers, or of other bytes", () => {
  expect(blendTemplates([], cohort)).toBeUndefined();
  expect(blendTemplates([single(1), single(1, "cd".repeat(40))], cohort)).toBeUndefined();
  expect(blendTemplates([single(1), new Uint8Array(10)], cohort)).toBeUndefined();
});
