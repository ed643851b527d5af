import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { makeSecretTransform } from "#features/users/secret-transform";
import { unitVector } from "../engine/recognition.ts";
import { scoreAtFmr } from "./calibration.ts";
import { compare } from "./comparison.ts";
import { packSingle, unpackSingle } from "./single-template.ts";
import { isSameTemplate, mapTemplate, recogniserOfTemplate, unpackTemplate } from "./template.ts";

const recogniser = "ab".repeat(40);
const faceOf = (seed: number, length = 512) => ({
  recogniser,
  vector: unitVector(Float32Array.from({ length }, (_, i) => Math.sin((i + 1) * (seed + 0.7)))),
});
const [face, other] = [faceOf(1), faceOf(2)];
const scale = {
  recogniser,
  name: "own@1/12345678",
  points: [
    { falseMatchRate: 1e-2, value: 0.5 },
    { falseMatchRate: 1e-3, value: 0.6 },
  ],
};

describe("a template of an added recogniser", () => {
  it("is read unchanged, and names its recogniser", () => {
    expect(unpackTemplate(packSingle(face))).toEqual(face);
    expect(recogniserOfTemplate(packSingle(face))).toBe(recogniser);
  });

  it("is refused if it is cut, of another version, too long or not a unit vector", () => {
    const bytes = packSingle(face);
    expect(unpackSingle(bytes.subarray(0, -4))).toBeUndefined();
    expect(unpackSingle(bytes.subarray(0, -1))).toBeUndefined();
    expect(unpackSingle(bytes.with(4, 2))).toBeUndefined();
    expect(unpackSingle(bytes.slice().fill(0xff, 60))).toBeUndefined();
    expect(unpackSingle(packSingle(faceOf(1, 1153)))).toBeUndefined();
    expect(unpackSingle(bytes.subarray(0, 45))).toBeUndefined();
  });

  it("is compared on the axis of its scale, never with a template of another recogniser", () => {
    const similar = unitVector(face.vector.map((value, i) => value + (i % 2 ? 0.3 : 0) * other.vector[i]!));
    const found = compare(face, { recogniser, vector: similar }, scale)!;
    expect(found.cosines[0]).toBeGreaterThan(0.6);
    expect(found.score).toBeGreaterThan(scoreAtFmr(1e-3));
    expect(found.falseMatchRate).toBeLessThan(1e-3);
    expect(compare(face, other, scale)!.score).toBeLessThan(scoreAtFmr(1e-2));
    expect(compare(face, { ...face, recogniser: "cd".repeat(40) }, scale)).toBeUndefined();
    expect(compare(face, faceOf(1, 256), scale)).toBeUndefined();
  });

  it("has no score without the scale of its own recogniser", () => {
    expect(compare(face, face)).toBeUndefined();
    expect(compare(face, face, { ...scale, recogniser: "cd".repeat(40) })).toBeUndefined();
  });

  it("survives a secret rotation and its inverse, except for rounding", () => {
    const { apply, undo } = makeSecretTransform(randomBytes(32));
    const cohortScore = (value: number) => value;
    const packed = packSingle(face);
    const rotated = mapTemplate(packed, { vector: apply, cohortScore })!;
    expect(isSameTemplate(rotated, packed)).toBe(false);
    expect(isSameTemplate(mapTemplate(rotated, { vector: undo, cohortScore })!, packed)).toBe(true);
    expect(isSameTemplate(packed, packSingle(other))).toBe(false);
    expect(isSameTemplate(packed, packSingle(faceOf(1, 256)))).toBe(false);
  });
});
