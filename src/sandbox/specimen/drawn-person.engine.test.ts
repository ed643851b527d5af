import { expect, it } from "vitest";
import { scoreAtFmr } from "#judging/face/matching/calibration";
import { compare } from "#judging/face/matching/comparison";
import { unpackTemplate } from "#judging/face/matching/template";
import type { Image } from "#machine/imaging/image";
import { openFaceEngine } from "#support/face/images";
import { openRecord } from "#support/networks/open-record";
import { drawPortrait, drawSelfieOf } from "./drawn-person.ts";
import { expose } from "./photograph.ts";

const { imaging, measure } = openFaceEngine();

const recorded = openRecord(import.meta.url);

const templateOf = async (name: string, draw: () => Image, seed: number) => {
  const measured = await recorded(`${name}, noise of ${seed}`, async () => {
    const exposed = expose(draw(), { noise: 1.5, blurPx: 0, falloff: 0.9, seed });
    return await measure(await imaging.encodeJpeg(exposed, 90), { template: true });
  });
  expect(measured).toMatchObject({ kind: "measured", faceWidths: [1] });
  if (measured.kind !== "measured" || measured.template === undefined) throw new Error("No template");
  const template = unpackTemplate(measured.template);
  if (template === undefined) throw new Error("The template was not read");
  return template;
};

const portraitOf = (person: number, sex: "F" | "M", seed: number) =>
  templateOf(`portrait of ${person}`, () => drawPortrait(person, sex, { width: 168, height: 216 }), seed);
const selfieOf = (person: number, sex: "F" | "M", seed: number) =>
  templateOf(`selfie of ${person}`, () => drawSelfieOf(person, sex, { width: 210, height: 280 }), seed);

it("two images of one drawn person match, at a thousandth of the default false match rate too", async () => {
  for (const [seed, sex] of [
    [1000, "M"],
    [1001, "F"],
    [1002, "M"],
  ] as const) {
    const portrait = await portraitOf(seed, sex, seed);
    const selfie = await selfieOf(seed, sex, seed + 1);
    expect(compare(portrait, selfie)!.score).toBeGreaterThan(scoreAtFmr(1e-5));
  }
});

// Drawn faces resemble each other: at the default rate half of the pairs of two persons match
// (lab/scripts/drawn-faces.ts).
it("images of two drawn persons of other sex and form do not match at a thousandth of the default rate", async () => {
  const portrait = await portraitOf(1000, "M", 1);
  const selfie = await selfieOf(1001, "F", 2);
  expect(compare(portrait, selfie)!.score).toBeLessThan(scoreAtFmr(1e-5));
});

it("the same number gives the same image", () => {
  const draw = (): Image => drawPortrait(7, "F", { width: 42, height: 54 });
  expect(draw().data).toEqual(draw().data);
});
