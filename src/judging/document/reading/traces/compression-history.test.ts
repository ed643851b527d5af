import { describe, expect, it } from "vitest";
import { normalDeviate, seededRandom } from "#contract/statistics/random";
import type { Box, Image } from "#machine/imaging/image";
import { makeImaging } from "#machine/imaging/imaging";
import { defaultImagingLimits } from "#machine/imaging/limits";
import { painted } from "#sandbox/specimen/canvas";
import { measureCompressionHistory } from "./compression-history.ts";

const imaging = makeImaging({ limits: defaultImagingLimits });
const whole: Box = { x: 0, y: 0, width: 720, height: 480 };
const portrait: Box = { x: 50, y: 90, width: 200, height: 260 };
const face: Box = { x: 90, y: 130, width: 110, height: 150 };

/** A smooth card with the grain of a sensor. */
const photographed = (seed: number): Image => {
  const random = seededRandom(seed);
  return painted(whole.width, whole.height, (x, y) => {
    const light = 130 + 40 * Math.sin(x / 31 + seed) + 30 * Math.cos(y / 23) + 7 * normalDeviate(random);
    return [light, light - 6, light - 14];
  });
};

const save = async (image: Image, quality: number) =>
  await imaging.open(Uint8Array.from(await imaging.encodeJpeg(image, quality)));

/** The image with a part of another one. */
const withPart = (image: Image, other: Image, { x, y, width, height }: Box): Image => {
  const data = Uint8Array.from(image.data);
  for (let row = y; row < y + height; row++) {
    const [from, to] = [(row * image.width + x) * 3, (row * image.width + x + width) * 3];
    data.set(other.data.subarray(from, to), from);
  }
  return { ...image, data };
};

const measure = async (image: Image, quality: number, parts = { portrait, face }) => {
  const saved = await save(image, quality);
  return measureCompressionHistory(saved, saved.file.jpegSteps ?? [], { card: whole, ...parts });
};

const once = await save(photographed(1), 75);

describe("the history of compressions", () => {
  it("is the card's own where the whole file was saved again", async () => {
    const history = await measure(once, 92);
    expect(history.face.information).toBeGreaterThan(60);
    expect(history.portrait.match).toBeGreaterThan(0.8);
    expect(history.face.match).toBeGreaterThan(0.8);
  });

  it("is missing in a portrait that was put into the file", async () => {
    const history = await measure(withPart(once, photographed(2), portrait), 92);
    expect(history.portrait.information).toBeGreaterThan(60);
    expect(history.portrait.match).toBeLessThan(0.2);
    expect(history.face.match).toBeLessThan(0.2);
  });

  it("is missing in the face alone where a face was put into the portrait", async () => {
    const history = await measure(withPart(once, photographed(2), face), 92);
    expect(history.face.match).toBeLessThan(0.25);
    expect(history.portrait.match).toBeGreaterThan(history.face.match + 0.2);
  });

  it("tells nothing of a file that was saved once, or resized after the change", async () => {
    const forged = withPart(once, photographed(2), portrait);
    const resized = await imaging.resize(forged, 648, 432);
    for (const image of [photographed(1), resized]) {
      const { portrait: own, face: inner } = await measure(image, 92);
      expect([own.information, inner.information]).toEqual([0, 0]);
    }
  });

  it.each([
    ["of twelve pixels", { x: 60, y: 100, width: 12, height: 12 }],
    ["beside the image", { x: 900, y: 100, width: 100, height: 100 }],
    ["of no size", { x: 60, y: 100, width: 0, height: 0 }],
    ["without a place", { x: Number.NaN, y: Number.NaN, width: Number.NaN, height: Number.NaN }],
  ])("tells nothing of a portrait %s", async (_, part) => {
    const { portrait: own } = await measure(once, 92, { portrait: part, face: part });
    expect(own.information).toBeLessThan(10);
  });
});
