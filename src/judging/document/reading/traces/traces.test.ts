import { describe, expect, it } from "vitest";
import { normalDeviate, seededRandom } from "#contract/statistics/random";
import type { GreyImage, Image, Quad } from "#machine/imaging/image";
import { toGrey } from "#machine/imaging/pixels";
import { drawBlankCard } from "#sandbox/specimen/cards/blank-card";
import { fill } from "#support/document/card";
import { differenceOf, hasComparableInk, measureInk } from "./ink.ts";
import { measurePortraitTrace } from "./portrait-trace.ts";
import { measureCardRim } from "./rim.ts";

const quad: Quad = [
  [150, 125],
  [450, 125],
  [450, 315],
  [150, 315],
];

const tableRandom = seededRandom(11);
const grain = Uint8Array.from({ length: 600 * 450 }, (_, i) => {
  const [x, y] = [i % 600, Math.floor(i / 600)];
  return (
    110 + 16 * Math.sin(x / 37 + y / 90) + 12 * Math.sin(y / 23 - x / 210) + 3 * normalDeviate(tableRandom)
  );
});

/** A table with grain, without any straight line. */
const table = (): Image => ({
  width: 600,
  height: 450,
  data: Uint8Array.from({ length: 3 * grain.length }, (_, i) => grain[Math.floor(i / 3)]!),
});

const box = (margin: number) => ({
  x: 150 - margin,
  y: 125 - margin,
  width: 300 + 2 * margin,
  height: 190 + 2 * margin,
});

describe("the rim around a card", () => {
  it("is absent on a bare table", () => {
    const scene = table();
    fill(scene, box(0), 220);
    expect(measureCardRim(scene, quad)).toEqual({ sides: 0, brightness: 0, width: 0 });
  });

  it.each([
    ["a white sheet", 35, 235],
    ["a dark bezel", 15, 20],
  ])("is found on four sides where %s lies around it", (_, margin, level) => {
    const scene = table();
    fill(scene, box(margin), level);
    fill(scene, box(0), 180);
    const rim = measureCardRim(scene, quad);
    expect(rim.sides).toBe(4);
    expect(rim.brightness).toBeCloseTo(level, 0);
    expect(rim.width).toBeGreaterThan((0.8 * margin) / 300);
    expect(rim.width).toBeLessThan((1.3 * margin) / 300);
  });

  it("does not count sides that end outside the image", () => {
    const scene = table();
    fill(scene, { x: 0, y: 100, width: 600, height: 350 }, 235);
    fill(scene, box(0), 180);
    expect(measureCardRim(scene, quad).sides).toBe(1);
  });
});

/** A smooth image with sensor noise, more of it in one part. */
const noisy = (inPart: number): Image => {
  const random = seededRandom(21);
  const luma = Uint8Array.from({ length: 640 * 400 }, (_, i) => {
    const [x, y] = [i % 640, Math.floor(i / 640)];
    const isPart = x >= 40 && x < 200 && y >= 60 && y < 260;
    return (
      128 + 30 * Math.sin(x / 60) + 20 * Math.cos(y / 45) + (isPart ? inPart : 4) * normalDeviate(random)
    );
  });
  return {
    width: 640,
    height: 400,
    data: Uint8Array.from({ length: 3 * luma.length }, (_, i) => luma[(i / 3) | 0]!),
  };
};

const whole = { x: 0, y: 0, width: 640, height: 400 };
const part = { x: 40, y: 60, width: 160, height: 200 };

describe("the trace of a replaced portrait", () => {
  it("is absent in an image of one sensor", () => {
    const trace = measurePortraitTrace(noisy(4), whole, part)!;
    expect(Math.abs(trace.noise)).toBeLessThan(0.15);
    expect(Math.abs(trace.grid)).toBeLessThan(0.1);
  });

  it("is a ratio of noise where another sensor made the portrait", () => {
    expect(measurePortraitTrace(noisy(1), whole, part)!.noise).toBeLessThan(-0.8);
    expect(measurePortraitTrace(noisy(10), whole, part)!.noise).toBeGreaterThan(0.6);
  });

  it("states how even the noise is, and the noise of the face alone", () => {
    const face = { x: 80, y: 100, width: 80, height: 110 };
    const even = measurePortraitTrace(noisy(4), whole, part, face)!;
    expect(even.noiseSpread).toBeLessThan(0.25);
    expect(Math.abs(even.faceNoise!)).toBeLessThan(0.2);
    const replaced = measurePortraitTrace(noisy(1), whole, part, face)!;
    expect(replaced.noiseSpread).toBeLessThan(0.25);
    expect(replaced.faceNoise).toBeLessThan(-0.8);
  });

  it("states no evenness of a drawing, whose parts have no noise, and none of a face of a few pixels", () => {
    const image = noisy(4);
    const flat = { ...image, data: Uint8Array.from(image.data, (_, i) => (i % (3 * 640) < 900 ? 250 : 90)) };
    const trace = measurePortraitTrace(flat, whole, part, { x: 80, y: 100, width: 12, height: 12 })!;
    expect(trace.noiseSpread).toBeUndefined();
    expect(trace.faceNoise).toBeUndefined();
  });

  it("is a block grid with another origin than that of the file", () => {
    const image = noisy(4);
    const data = Uint8Array.from(image.data, (value, i) => {
      const pixel = Math.floor(i / 3);
      const [x, y] = [(pixel % 640) - part.x - 3, Math.floor(pixel / 640) - part.y - 5];
      const isPart = x >= 0 && y >= 0 && x < part.width && y < part.height;
      return isPart ? value + 6 * ((Math.floor(x / 8) + Math.floor(y / 8)) % 2) : value;
    });
    expect(measurePortraitTrace({ ...image, data }, whole, part)!.grid).toBeGreaterThan(0.25);
  });

  it("is absent, and the search ends, where the card lies beside the image", () => {
    for (const beside of [
      { x: 700, y: 0, width: 100, height: 400 },
      { x: 0, y: 900, width: 400, height: 100 },
    ]) {
      expect(measurePortraitTrace(noisy(4), beside, part)).toBeUndefined();
    }
  });

  it("is not measured on a portrait of a few blocks", () => {
    expect(measurePortraitTrace(noisy(4), whole, { ...part, width: 50 })).toBeUndefined();
  });
});

describe("the ink of printed lines", () => {
  const lines = Array.from({ length: 8 }, (_, i) => ({
    box: { x: 0.1, y: 0.08 + 0.1 * i, width: 0.5, height: 0.06 },
  }));
  const written = (inkOf: (line: number) => number): GreyImage => {
    const card = drawBlankCard(800, 500, 3);
    for (const [i, { box: at }] of lines.entries()) {
      for (let x = 0.11; x < 0.59; x += 0.02) {
        fill(card, { x: x * 800, y: (at.y + 0.01) * 500, width: 5, height: 0.04 * 500 }, inkOf(i));
      }
    }
    return toGrey(card);
  };

  it("is equal on a card of one machine, and differs where a line was written later", () => {
    expect(
      measureInk(
        written((i) => 70 + 3 * (i % 3)),
        lines,
      )!.darkest,
    ).toBeLessThan(2);
    expect(
      measureInk(
        written((i) => (i === 4 ? 0 : 70 + 3 * (i % 3))),
        lines,
      )!.darkest,
    ).toBeGreaterThan(8);
  });

  it("is compared with the darker half of the lines, whatever labels and backgrounds are", () => {
    const printed = [62, 60, 58, 61, 59];
    const labels = [96, 120, 104, 131, 99, 112];
    expect(differenceOf([...printed, ...labels])).toBeLessThan(1);
    expect(differenceOf([...printed, ...labels, 1])).toBeGreaterThan(9);
  });

  it.each([
    ["SUR", true],
    ["S U", false],
    ["1", false],
    ["P<CHLSUR", false],
  ])("is compared for the line %s: %s", (text, isCompared) => {
    expect(hasComparableInk(text)).toBe(isCompared);
  });

  it("is measured in deviations of six grey levels and more", () => {
    expect(differenceOf([0, 60, 60, 60, 60, 60])).toBe(10);
    expect(differenceOf([0, 60, 60, 70, 80, 60])).toBe(10);
    expect(differenceOf([0, 40, 60, 80, 80, 80])).toBeCloseTo(60 / (1.48 * 20), 6);
  });

  it("is not compared for fewer than six lines", () => {
    expect(
      measureInk(
        written(() => 70),
        lines.slice(0, 5),
      ),
    ).toBeUndefined();
  });
});
