import { describe, expect, it } from "vitest";
import type { Quad } from "#imaging/image";
import { drawBlankCard } from "#specimen/cards/blank-card";
import { mapsOf } from "../../testing/card-maps.ts";
import { photograph } from "../../testing/photograph.ts";
import { cuesIn, oddsOf, probabilityOf } from "./certainty.ts";
import { scaleCorners } from "./geometry.ts";
import { colourGradient } from "./gradient.ts";
import { cardScore } from "./located-card.ts";
import { findRegions } from "./map-regions.ts";
import type { Look } from "./propose-quads.ts";

const shot = {
  width: 384,
  height: 256,
  share: 0.7,
  rotationDegrees: 5,
  tilt: 0.02,
  blurPx: 0.5,
  noise: 2,
  light: 0.1,
  seed: 1,
};
const { image, quad: truth } = photograph(drawBlankCard(856, 540, 1), shot);

/** A look at the photograph in which the network sees cards at these corners. */
const lookSeeing = (cards: readonly Quad[]): Look => {
  const [columns, rows] = [64, 42];
  const onGrid = cards.map((card) => scaleCorners(card, columns / image.width, rows / image.height));
  const maps = mapsOf(columns, rows, onGrid);
  const box = { x: 0, y: 0, width: image.width, height: image.height };
  return { image, gradient: colourGradient(image), maps, regions: findRegions(maps), box, source: image };
};
const certaintyOf = (quad: Quad, seen: readonly Quad[]): number => {
  const look = lookSeeing(seen);
  return probabilityOf(oddsOf(cuesIn(look, look)(quad)));
};
const moved = (quad: Quad, x: number, y: number): Quad => {
  const [a, b, c, d] = quad.map(([u, v]): readonly [number, number] => [u + x, v + y]);
  return [a!, b!, c!, d!];
};

describe("the certainty of a quadrilateral", () => {
  it("is high where network and lines show it, and falls with each that does not", () => {
    const both = certaintyOf(truth, [truth]);
    const shifted = certaintyOf(moved(truth, 14, 0), [truth]);
    const unseen = certaintyOf(truth, []);
    expect(both).toBeGreaterThan(cardScore.trusted);
    expect(shifted).toBeLessThan(cardScore.usable);
    expect(unseen).toBeLessThan(cardScore.probable);
    const aside = moved(truth, 9, 9);
    expect(certaintyOf(aside, [aside])).toBeLessThan(both);
  });

  it("counts the region that fits best", () => {
    const small = scaleCorners(truth, 0.2, 0.2);
    expect(certaintyOf(truth, [truth, small])).toBeGreaterThan(cardScore.usable);
  });
});
