import { describe, expect, it } from "vitest";
import { normalDeviate, seededRandom } from "#contract/statistics/random";
import type { Box, GreyImage } from "#machine/imaging/image";
import { measureFineDetail } from "./fine-detail.ts";

const [width, height] = [800, 500];
const portrait: Box = { x: 60, y: 100, width: 200, height: 260 };
const face: Box = { x: 100, y: 150, width: 110, height: 150 };

const grain = (seed: number): Float64Array => {
  const random = seededRandom(seed);
  return Float64Array.from({ length: width * height }, () => normalDeviate(random));
};

/** Grain seen by a lens of this blur, in pixels: its detail ends there. */
const texture = (blurPx: number, seed: number): Float64Array => {
  const fine = grain(seed);
  const at = (x: number, y: number): number =>
    fine[Math.min(height - 1, Math.max(0, y)) * width + Math.min(width - 1, Math.max(0, x))]!;
  return Float64Array.from({ length: width * height }, (_, i) => {
    const [x, y] = [i % width, Math.floor(i / width)];
    let [sum, weights] = [0, 0];
    for (let dy = -5; dy <= 5; dy++) {
      for (let dx = -5; dx <= 5; dx++) {
        const weight = Math.exp(-(dx * dx + dy * dy) / (2 * blurPx * blurPx));
        sum += weight * at(x + dx, y + dy);
        weights += weight * weight;
      }
    }
    return sum / Math.sqrt(weights);
  });
};

const isIn = ({ x, y, width: wide, height: high }: Box, i: number): boolean => {
  const [column, row] = [i % width, Math.floor(i / width)];
  return column >= x && row >= y && column < x + wide && row < y + high;
};

const sharp = texture(0.9, 1);
const enlarged = texture(2.4, 2);

const sideOf = (valueAt: (i: number) => number): GreyImage => ({
  width,
  height,
  data: Uint8Array.from({ length: width * height }, (_, i) => 128 + 24 * valueAt(i)),
});

const lackOf = (side: GreyImage) => {
  const detail = measureFineDetail(side, { portrait, face })!;
  return {
    portrait: detail.least - detail.portrait!,
    face: detail.least - detail.face!,
    beside: detail.around! - detail.face!,
  };
};

describe("fine detail", () => {
  it("is as much in the portrait as in the card where one lens saw both", () => {
    const { portrait: own, face: inner, beside } = lackOf(sideOf((i) => sharp[i]!));
    expect(Math.abs(own)).toBeLessThan(0.15);
    expect(Math.abs(inner)).toBeLessThan(0.2);
    expect(Math.abs(beside)).toBeLessThan(0.2);
  });

  it("is missing in a portrait that was enlarged from a smaller image", () => {
    const {
      portrait: own,
      face: inner,
      beside,
    } = lackOf(sideOf((i) => (isIn(portrait, i) ? enlarged[i]! : sharp[i]!)));
    expect(own).toBeGreaterThan(0.6);
    expect(inner).toBeGreaterThan(0.6);
    expect(Math.abs(beside)).toBeLessThan(0.2);
  });

  it("is missing in the face alone where a face was enlarged", () => {
    const {
      portrait: own,
      face: inner,
      beside,
    } = lackOf(sideOf((i) => (isIn(face, i) ? enlarged[i]! : sharp[i]!)));
    expect(inner).toBeGreaterThan(0.6);
    expect(beside).toBeGreaterThan(0.6);
    expect(own).toBeLessThan(0.3);
  });

  it("is not measured on a card without detail", () => {
    expect(
      measureFineDetail(
        sideOf(() => 0),
        { portrait, face },
      ),
    ).toBeUndefined();
  });

  it.each([
    ["of twelve pixels", { x: 60, y: 100, width: 12, height: 12 }],
    ["beside the image", { x: 900, y: 100, width: 100, height: 100 }],
    ["without a place", { x: Number.NaN, y: Number.NaN, width: Number.NaN, height: Number.NaN }],
  ])("is absent for a portrait %s", (_, part) => {
    const detail = measureFineDetail(
      sideOf((i) => sharp[i]!),
      { portrait: part, face: part },
    );
    expect(detail?.portrait).toBeUndefined();
    expect(detail?.face).toBeUndefined();
  });
});
