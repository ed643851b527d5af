import { describe, expect, it } from "vitest";
import { makeImaging } from "#machine/imaging/imaging";
import { defaultImagingLimits } from "#machine/imaging/limits";
import { drawBlankCard } from "#sandbox/specimen/cards/blank-card";
import { drawWords } from "#support/document/card";
import { photograph, type Shot } from "#support/document/photograph";
import { sharedNetworks } from "#support/networks/shared-networks";
import { makeReadCardMaps } from "./card-maps.ts";
import { makeFindQuad } from "./find-quad.ts";
import { intersectionOverUnion } from "./geometry.ts";
import { cardScore } from "./located-card.ts";

const imaging = makeImaging({ limits: defaultImagingLimits });
const network = sharedNetworks().networks["card-finder"];
const findQuad = makeFindQuad(imaging, makeReadCardMaps(imaging, network));

const levels = [
  { width: 1200, height: 900, share: 0.8, rotationDegrees: 4, tilt: 0.03, blurPx: 0.7, noise: 3, light: 0.1 },
  {
    width: 1000,
    height: 750,
    share: 0.66,
    rotationDegrees: -12,
    tilt: 0.07,
    blurPx: 1.1,
    noise: 6,
    light: 0.25,
  },
  { width: 800, height: 600, share: 0.56, rotationDegrees: 19, tilt: 0.1, blurPx: 1.4, noise: 9, light: 0.4 },
];

const photographed = (shot: Shot) => {
  const card = drawBlankCard(856, 540, shot.seed);
  drawWords(card, { x: 300, y: 60, width: 500, height: 420 }, shot.seed);
  return photograph(card, shot);
};

describe("locating a card", () => {
  it.each(levels.flatMap((level) => [1, 2, 3].map((seed) => ({ ...level, seed }))))(
    "finds it at $width px, rotated by $turnDegrees degrees, seed $seed",
    async (shot) => {
      const { image, quad } = photographed(shot);
      const card = await findQuad(image);
      expect(card && intersectionOverUnion(card.quad, quad)).toBeGreaterThan(0.95);
      expect(card?.score).toBeGreaterThan(cardScore.usable);
    },
  );

  it("counts a second card in the image, and none when there is one card", async () => {
    const shot = { ...levels[1]!, width: 700, height: 700, share: 0.7, seed: 2 };
    const [one, other] = [photographed(shot).image, photographed({ ...shot, rotationDegrees: 8 }).image];
    const both = new Uint8Array(one.data.length * 2);
    both.set(one.data);
    both.set(other.data, one.data.length);
    const pair = await findQuad({ width: 700, height: 1400, data: both });
    expect(pair?.others).toBe(1);
    expect((await findQuad(one))?.others).toBeUndefined();
  });

  it("returns no trusted card on a plain background", async () => {
    const image = { width: 600, height: 400, data: new Uint8Array(600 * 400 * 3).fill(120) };
    const card = await findQuad(image);
    expect(card?.score ?? 0).toBeLessThan(cardScore.usable);
  });
});
