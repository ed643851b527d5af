import { expect, it } from "vitest";
import { packSingle, unpackSingle, vectorSizes } from "../face/matching/single-template.ts";
import { findRecogniserSpec } from "../models/serve-slot.ts";
import { recogniserManifest } from "../models/testing/small-models.ts";
import { dlibSize, faceresSize, splitVector } from "./scoring.ts";

const unitVector = (size: number): Float32Array => new Float32Array(size).fill(1 / Math.sqrt(size));

// Rooms take each other as types alone: nothing but this ties their figures.
it("a row holds every vector that a recogniser's slot and template take, and they take no longer one", () => {
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
