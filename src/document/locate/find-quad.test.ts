import { describe, expect, it } from "vitest";
import { makeImaging } from "../../imaging/imaging.ts";
import { defaultImagingLimits } from "../../imaging/limits.ts";
import { drawCard, drawWords } from "../testing/card.ts";
import { photograph } from "../testing/photograph.ts";
import { makeFindQuad } from "./find-quad.ts";
import { intersectionOverUnion } from "./geometry.ts";

const findQuad = makeFindQuad(makeImaging({ limits: defaultImagingLimits }));

const levels = [
  { width: 1200, height: 900, share: 0.8, turnDegrees: 4, tilt: 0.03, blurPx: 0.7, noise: 3, light: 0.1 },
  { width: 1000, height: 750, share: 0.66, turnDegrees: -12, tilt: 0.07, blurPx: 1.1, noise: 6, light: 0.25 },
  { width: 800, height: 600, share: 0.56, turnDegrees: 19, tilt: 0.1, blurPx: 1.4, noise: 9, light: 0.4 },
];

describe("locating a card", () => {
  it.each(levels.flatMap((level) => [1, 2, 3].map((seed) => ({ ...level, seed }))))(
    "finds it at $width px, turned $turnDegrees degrees, seed $seed",
    async (shot) => {
      const card = drawCard(856, 540, shot.seed);
      drawWords(card, { x: 300, y: 60, width: 500, height: 420 }, shot.seed);
      const { image, quad } = photograph(card, shot);
      const found = await findQuad(image);
      expect(found && intersectionOverUnion(found.quad, quad)).toBeGreaterThan(0.95);
      expect(found?.score).toBeGreaterThan(0.8);
    },
  );

  it("trusts nothing on a plain ground", async () => {
    const image = { width: 600, height: 400, data: new Uint8Array(600 * 400 * 3).fill(120) };
    expect((await findQuad(image))?.score ?? 0).toBeLessThan(0.8);
  });
});
