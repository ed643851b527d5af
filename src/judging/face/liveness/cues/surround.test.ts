import { describe, expect, it } from "vitest";
import { normalDeviate, seededRandom } from "#contract/statistics/random";
import type { GreyImage } from "#machine/imaging/image";
import { measureSurround } from "./surround.ts";

const [width, height] = [360, 480] as const;
const face = { x: 140, y: 170, width: 90, height: 120 };
const random = seededRandom(5);
const grain = Float32Array.from({ length: width * height }, () => 2 * normalDeviate(random));

/** An image with the given level at each pixel, and the noise of a sensor unless `noisy` excludes it. */
const drawn = (
  level: (x: number, y: number) => number,
  noisy: (x: number, y: number) => boolean = () => true,
): GreyImage => ({
  width,
  height,
  data: Uint8Array.from({ length: width * height }, (_, i) => {
    const [x, y] = [i % width, Math.floor(i / width)];
    return Math.max(0, Math.min(255, level(x, y) + (noisy(x, y) ? grain[i]! : 0)));
  }),
});
const within = (x: number, y: number, [left, top, right, bottom]: readonly number[]): boolean =>
  x >= left! && x < right! && y >= top! && y < bottom!;
const scene = (x: number, y: number): number => 120 + 30 * Math.sin(x / 70) * Math.cos(y / 90);
const sheet = [80, 90, 290, 400] as const;
const held = (x: number, y: number): number => (within(x, y, sheet) ? 210 : scene(x, y));

describe("measureSurround", () => {
  it("finds the rim of a sheet around the face", () => {
    expect(measureSurround(drawn(held), face)!.closedFrame).toBeGreaterThan(0.9);
  });

  it("finds it when fingers hide a third of two sides", () => {
    const fingers = (x: number, y: number): number =>
      (Math.abs(x - 80) < 22 || Math.abs(x - 290) < 22) && y > 230 && y < 340 && y % 30 < 24
        ? 150
        : held(x, y);
    expect(measureSurround(drawn(fingers), face)!.closedFrame).toBeGreaterThan(0.75);
  });

  it("finds none in an empty scene, nor in a door behind a person", () => {
    expect(measureSurround(drawn(scene), face)!.closedFrame).toBe(0);
    const door = (x: number, y: number): number => (within(x, y, [70, 60, 300, 480]) ? 190 : scene(x, y));
    expect(measureSurround(drawn(door), face)!.closedFrame).toBeLessThan(0.65);
  });

  it("does not take padding around an image for a rim", () => {
    const laid = (x: number, y: number): number => (within(x, y, sheet) ? 160 + 20 * Math.sin(x / 30) : 0);
    const surround = measureSurround(
      drawn(laid, (x, y) => within(x, y, sheet)),
      face,
    )!;
    expect(surround.closedFrame).toBe(0);
    expect(surround.openFrame).toBeLessThan(0.8);
  });

  it("is missing where the face leaves no margins", () => {
    expect(measureSurround(drawn(scene), { x: 20, y: 20, width: 320, height: 440 })).toBeUndefined();
  });
});
