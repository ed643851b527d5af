import * as fc from "fast-check";
import { expect, it } from "vitest";
import { makeImaging } from "#machine/imaging/imaging";
import { defaultImagingLimits } from "#machine/imaging/limits";
import { countOtherPortraits, cutPortrait, type FoundFace, mainFace, portraitScoreMin } from "./portrait.ts";

const face = (x: number, width: number, score = 0.9): FoundFace => ({
  box: { x, y: 100, width, height: 1.2 * width },
  score,
});

it.each([
  ["none in an image without faces", [], 0],
  ["no portrait beside the only one", [face(100, 90)], 0],
  ["no ghost image", [face(100, 90), face(600, 45)], 0],
  ["no face that the detector finds twice", [face(100, 90), face(130, 85)], 0],
  ["no unreliable face", [face(100, 90), face(600, 88, 0.79)], 0],
  ["the portrait of another document", [face(600, 88), face(100, 90)], 1],
  ["the portraits of two other documents", [face(100, 90), face(600, 88), face(1100, 92)], 2],
] as const)("counts %s", (_, faces, expected) => {
  expect(countOtherPortraits(faces)).toBe(expected);
});

it("takes the largest face for the portrait, and none whose score is too low", () => {
  for (const on of ["front", "back"] as const) {
    const least = portraitScoreMin[on];
    const [lowest, below] = [face(600, 120, least), face(600, 120, least - 0.001)];
    expect(mainFace([face(100, 90), lowest], on)).toBe(lowest);
    expect(mainFace([face(100, 90), below], on)).toEqual(face(100, 90));
    expect(mainFace([below], on)).toBeUndefined();
  }
});

it("takes a face of a low score for the portrait of a front, and of no back", () => {
  const pattern = face(100, 90, 0.5);
  expect([mainFace([pattern]), mainFace([pattern], "back")]).toEqual([pattern, undefined]);
});

it("cuts a portrait of at least one pixel, wherever the detector places the face", async () => {
  const imaging = makeImaging({ limits: defaultImagingLimits });
  const [width, height] = [40, 24];
  const side = { width, height, data: new Uint8Array(3 * width * height) };
  const corners = [
    [100, 50],
    [180, 50],
    [180, 98],
    [100, 98],
  ] as const;
  const place = fc.double({ min: -200, max: 200, noNaN: true });
  const length = fc.double({ min: 0, max: 100, noNaN: true });
  await fc.assert(
    fc.asyncProperty(place, place, length, length, async (x, y, wide, high) => {
      const box = { x, y, width: wide, height: high };
      const { jpeg, area } = await cutPortrait(imaging, side, corners, { box, score: 0.9 });
      expect(jpeg.subarray(0, 2)).toEqual(Uint8Array.of(0xff, 0xd8));
      // The area is where it was cut: inside of the side's corners.
      for (const [left, top] of area)
        expect([left >= 100, left <= 180, top >= 50, top <= 98]).not.toContain(false);
    }),
  );
});
