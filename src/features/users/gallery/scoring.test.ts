import { expect, it } from "vitest";
import { packSingle, unpackSingle, vectorSizes } from "#judging/face/matching/single-template";
import { findRecogniserSpec } from "#machine/models/serve-slot";
import { recogniserManifest } from "#support/models/small-models";
import { dlibSize, faceresSize, splitVector } from "./scoring.ts";

const unitVector = (size: number): Float32Array => new Float32Array(size).fill(1 / Math.sqrt(size));

// Modules import each other as types only, so this test is the only link between their sizes.
it("a row holds exactly the longest vector that a recogniser's slot and template allow", () => {
  const { min, max } = vectorSizes;
  expect(max).toBe(dlibSize + faceresSize);
  for (const [size, isTaken] of [
    [min - 1, false],
    [min, true],
    [max, true],
    [max + 1, false],
  ] as const) {
    const output = { kind: "embedding", size } as const;
    expect(findRecogniserSpec({ ...recogniserManifest, output }) !== undefined, `slot, ${size}`).toBe(
      isTaken,
    );
    const packed = packSingle({ recogniser: "ab".repeat(40), vector: unitVector(size) });
    expect(unpackSingle(packed) !== undefined, `template, ${size}`).toBe(isTaken);
  }
  const { dlib, faceres } = splitVector(unitVector(max));
  expect([...dlib, ...faceres]).toEqual([...unitVector(max)]);
  expect(() => splitVector(unitVector(max + 1))).toThrow(RangeError);
});
