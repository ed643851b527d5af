import { describe, expect, it } from "vitest";
import type { Box, Image } from "#machine/imaging/image";
import { painted } from "./canvas.ts";
import { forgePortrait, portraitForgeries } from "./forge-portrait.ts";

const card = painted(300, 200, (x, y) => [200 + 20 * Math.sin(x / 7), 210 + 10 * Math.cos(y / 5), 190]);
const places = {
  portrait: { x: 30, y: 40, width: 90, height: 116 },
  face: { x: 50, y: 66, width: 50, height: 62 },
} as const;
const other = {
  image: painted(120, 150, (x, y) => [40 + x, 30 + y / 2, 60]),
  places: {
    portrait: { x: 10, y: 5, width: 100, height: 129 },
    face: { x: 35, y: 40, width: 50, height: 62 },
  },
} as const;

const forge = (kind: (typeof portraitForgeries)[number], seed = 1) =>
  forgePortrait(kind, card, places, other, seed);

const changed = (forged: Image, isIn: (x: number, y: number) => boolean): number => {
  let count = 0;
  for (let i = 0; i < card.data.length; i += 3) {
    const pixel = i / 3;
    const differs = [0, 1, 2].some((channel) => forged.data[i + channel] !== card.data[i + channel]);
    if (differs && isIn(pixel % card.width, Math.floor(pixel / card.width))) count++;
  }
  return count;
};

const isInside =
  ({ x, y, width, height }: Box, margin: number) =>
  (column: number, row: number) =>
    column >= x - margin && row >= y - margin && column < x + width + margin && row < y + height + margin;

describe("a forged portrait", () => {
  it.each(portraitForgeries)("that is %s changes the portrait, and nothing apart from it", (kind) => {
    const forged = forge(kind);
    const near = isInside(places.portrait, kind === "laid-on" ? 8 : 0);
    expect(changed(forged, near)).toBeGreaterThan(0.5 * places.face.width * places.face.height);
    expect(changed(forged, (x, y) => !near(x, y))).toBe(0);
    expect(forged).not.toBe(card);
    expect(forge(kind).data).toEqual(forged.data);
  });

  it("that is swapped keeps the portrait around the face", () => {
    const isFace = isInside(places.face, 0);
    expect(changed(forge("swapped"), (x, y) => !isFace(x, y))).toBe(0);
  });

  it("that is pasted has a hard edge, and a blended one has none", () => {
    const stepAt = ({ data }: Image): number => {
      const at = (100 * card.width + places.portrait.x) * 3;
      return Math.abs(data[at]! - data[at - 3]!);
    };
    expect(stepAt(forge("pasted"))).toBeGreaterThan(60);
    expect(stepAt(forge("blended"))).toBeLessThan(25);
  });

  it("that is laid on has white paper around it and a shadow beside it", () => {
    const { data } = forge("laid-on");
    const row = Array.from({ length: 40 }, (_, i) => data[(100 * card.width + 100 + i) * 3]!);
    expect(Math.max(...row)).toBeGreaterThan(225);
    expect(Math.min(...row.slice(18))).toBeLessThan(170);
  });
});
