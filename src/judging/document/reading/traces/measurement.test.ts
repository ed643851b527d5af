import { describe, expect, it } from "vitest";
import { seededRandom } from "#contract/statistics/random";
import type { Quad } from "#machine/imaging/image";
import { newMemory } from "#machine/imaging/pixel-memory";
import { toGrey } from "#machine/imaging/pixels";
import { makeRectify } from "#machine/imaging/rectify";
import { painted } from "#sandbox/specimen/canvas";
import { frameQuad } from "../upright.ts";
import { type AttackedSide, measureAttack } from "./measurement.ts";

const rectify = makeRectify(newMemory);
const isOnCard = (x: number, y: number): boolean => x >= 300 && x < 620 && y >= 200 && y < 400;

/** A grey copy on a coloured cloth. */
const random = seededRandom(4);
const scene = painted(900, 600, (x, y) => {
  const grain = 12 * random();
  if (isOnCard(x, y)) {
    const grey = 150 + 60 * Math.sin(x / 9) * Math.cos(y / 7) + grain;
    return [grey, grey, grey];
  }
  return [120 + 90 * Math.sin(x / 40), 120 + 90 * Math.sin(y / 33), 120 + 90 * Math.cos((x + y) / 51)];
});
const card: Quad = [
  [300, 200],
  [620, 200],
  [620, 400],
  [300, 400],
];
const unlocated: AttackedSide = {
  native: scene,
  isWhole: false,
  area: frameQuad(scene),
  isLocated: false,
  upright: scene,
  portrait: { x: 330, y: 250, width: 60, height: 80 },
  mrzShare: 0,
  lines: [],
};
const colourOf = (side: AttackedSide): number | undefined =>
  measureAttack({ rectify, toGrey }, side).colour?.second;

describe("the colour of a card that was not located", () => {
  it("is not the colour of the cloth below it", () => {
    expect(colourOf(unlocated)).toBeUndefined();
  });

  it("is the colour within its probable outline, where the portrait lies within", () => {
    expect(colourOf({ ...unlocated, outline: card })).toBeLessThan(0.8);
  });

  it("is not the colour of an outline beside the portrait", () => {
    const beside = card.map(([x, y]) => [x + 270, y + 190] as const);
    const [a, b, c, d] = beside;
    expect(colourOf({ ...unlocated, outline: [a!, b!, c!, d!] })).toBeUndefined();
  });

  it("is the colour of the frame, where the portrait shows that the document fills it", () => {
    const large = { ...unlocated, portrait: { x: 330, y: 250, width: 160, height: 200 } };
    expect(colourOf(large)).toBeGreaterThan(2);
    expect(colourOf({ ...large, outline: card })).toBeLessThan(0.8);
  });
});

describe("the colour around the portrait", () => {
  const around = (width: number, height: number) =>
    measureAttack({ rectify, toGrey }, { ...unlocated, portrait: { x: 330, y: 250, width, height } })
      .portraitColour;

  it("is measured up to a height of four widths, with the margins of the face", () => {
    expect(around(60, (60 * 4 * 2.2) / 2.1)).toBeDefined();
    expect(around(60, (60 * 4 * 2.2) / 2.1 + 1)).toBeUndefined();
  });

  it.each([
    [0, 80],
    [0, 0],
    [1e-9, 80],
    [Number.NaN, 80],
  ])("is absent for a box that is no face: %d x %d", (width, height) => {
    expect(around(width, height)).toBeUndefined();
  });
});
