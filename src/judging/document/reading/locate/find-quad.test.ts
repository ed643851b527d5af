import { describe, expect, it } from "vitest";
import type { Image, Quad } from "#machine/imaging/image";
import { makeImaging } from "#machine/imaging/imaging";
import { defaultImagingLimits } from "#machine/imaging/limits";
import { fill } from "#support/document/card";
import { mapsOf, rectangle } from "#support/document/card-maps";
import { makeFindQuad } from "./find-quad.ts";
import { intersectionOverUnion, scaleCorners } from "./geometry.ts";
import { cardScore } from "./located-card.ts";

const imaging = makeImaging({ limits: defaultImagingLimits });

/** A dark table with light sheets, whose corners are in cells of ten pixels. */
const tableWith = (...sheets: readonly Quad[]): Image => {
  const image = { width: 640, height: 400, data: new Uint8Array(640 * 400 * 3).fill(60) };
  for (const [[x, y], , [right, bottom]] of sheets) {
    fill(image, { x: x * 10, y: y * 10, width: (right - x) * 10, height: (bottom - y) * 10 }, 220);
  }
  return image;
};

/** Finds the card of an image that a perfect network sees these cards in, and counts the network's runs. */
const find = async (image: Image, seen: readonly Quad[], seenNearby: readonly Quad[] = []) => {
  let runs = 0;
  const findQuad = makeFindQuad(imaging, async ({ width }) => {
    runs++;
    return mapsOf(64, 40, width === image.width ? seen : seenNearby);
  });
  return { card: await findQuad(image), runs };
};

const card = rectangle(8, 8, 34, 24);
/** The same card as a closer look shows it: the crop has a margin of .15 of its longer side. */
const near = rectangle(7.7, 6.7, 55.1, 32.2);

describe("the card of an image", () => {
  it("is the network's own border where that is whole", async () => {
    const { card: found, runs } = await find(tableWith(), [card], [near]);
    expect(found && intersectionOverUnion(found.quad, scaleCorners(card, 10, 10))).toBeGreaterThan(0.95);
    expect(found?.score).toBeGreaterThan(cardScore.trusted);
    expect(runs).toBe(2);
  });

  it("is left to lines where the frame cuts it, whatever a closer look shows", async () => {
    const cut = rectangle(-2, 5, 30, 25);
    const { card: found } = await find(tableWith(), [cut], [rectangle(8, 6, 52, 33)]);
    expect(found?.score ?? 0).toBeLessThan(cardScore.trusted);
  });

  it("is one card where other regions are inside it", async () => {
    const sheet = rectangle(1, 4, 56, 38);
    const regions = [rectangle(-2, 4, 40, 38), rectangle(44, 6, 52, 14), rectangle(44, 20, 52, 28)];
    const { card: found, runs } = await find(tableWith(sheet), regions, [rectangle(8, 6, 52, 33)]);
    expect(found && intersectionOverUnion(found.quad, scaleCorners(sheet, 10, 10))).toBeGreaterThan(0.95);
    expect([found?.others, runs]).toEqual([undefined, 1]);
  });

  it("has others beside it where the network sees them apart", async () => {
    const other = rectangle(46, 10, 60, 19);
    const { card: found, runs } = await find(tableWith(), [card, other], [near]);
    expect([found?.others, runs]).toEqual([1, 3]);
  });
});
