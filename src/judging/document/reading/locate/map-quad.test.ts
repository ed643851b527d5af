import { describe, expect, it } from "vitest";
import type { Quad } from "#machine/imaging/image";
import { mapsOf } from "#support/document/card-maps";
import { agreementOf, mapOfRegion } from "./agreement.ts";
import { intersectionOverUnion } from "./geometry.ts";
import { quadOfRegion } from "./map-quad.ts";
import { findRegions } from "./map-regions.ts";

/** A rectangle rotated about its centre, clockwise. */
const rotated = (x: number, y: number, width: number, height: number, degrees: number): Quad => {
  const [c, s] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)];
  const at = (u: number, v: number) => [x + u * c - v * s, y + u * s + v * c] as const;
  const [w, h] = [width / 2, height / 2];
  return [at(-w, -h), at(w, -h), at(w, h), at(-w, h)];
};

describe("a card in the network's maps", () => {
  it.each([0, 8, 33, 45, 71, 90, 134])("is found at its corners when rotated by %i degrees", (degrees) => {
    const truth = rotated(20, 31, 30, 19, degrees);
    const maps = mapsOf(40, 64, [truth]);
    const [region, ...others] = findRegions(maps);
    expect(others).toEqual([]);
    const quad = region && quadOfRegion(region, maps);
    expect(quad && intersectionOverUnion(quad, truth)).toBeGreaterThan(0.95);
  });

  it("is separated from a second card, the larger first", () => {
    const [small, large] = [rotated(12, 12, 14, 9, 5), rotated(20, 44, 30, 19, 10)];
    const maps = mapsOf(40, 64, [small, large]);
    const regions = findRegions(maps);
    expect(regions).toHaveLength(2);
    const quads = regions.map((region) => quadOfRegion(region, maps)!);
    expect(intersectionOverUnion(quads[0]!, large)).toBeGreaterThan(0.95);
    expect(intersectionOverUnion(quads[1]!, small)).toBeGreaterThan(0.85);
    const own = mapOfRegion(maps, regions[0]!, regions);
    expect(agreementOf(large, own, 40)).toBeGreaterThan(0.95);
    expect(agreementOf(small, own, 40)).toBeLessThan(0.02);
  });

  it("agrees less with a quadrilateral the farther it is away", () => {
    const truth = rotated(20, 31, 30, 19, 12);
    const { card } = mapsOf(40, 64, [truth]);
    const away = [0, 2, 5, 12, 40].map((dx) => agreementOf(rotated(20 + dx, 31, 30, 19, 12), card, 40));
    expect(away[0]).toBeGreaterThan(0.97);
    expect(away.toSorted((a, b) => b - a)).toEqual(away);
    expect(away[1]).toBeCloseTo(intersectionOverUnion(rotated(22, 31, 30, 19, 12), truth), 1);
  });

  it("is absent in an image without a card, and a speck is no card", () => {
    expect(findRegions(mapsOf(40, 64, []))).toEqual([]);
    expect(findRegions(mapsOf(40, 64, [rotated(20, 30, 5, 3, 0)]))).toEqual([]);
  });
});
