import { describe, expect, it } from "vitest";
import { unitVector } from "../../../src/judging/face/engine/recognition.ts";
import { directionBetween, moveAlong } from "./directions.ts";
import { distinctFaces } from "./distinct.ts";

const face = (dlib: readonly number[], faceres: readonly number[]) => ({
  dlib: unitVector(Float32Array.from(dlib)),
  faceres: unitVector(Float32Array.from(faceres)),
});
const near = (vector: Float32Array, wanted: readonly number[]): void => {
  for (const [i, value] of wanted.entries()) expect(vector[i]).toBeCloseTo(value, 5);
};

describe("directions", () => {
  it("moves the mean of the first faces to the mean of the others, in each descriptor separately", () => {
    const direction = directionBetween(
      [face([1, 0, 0], [0, 1]), face([0, 1, 0], [0, 1])],
      [face([0, 0, 1], [1, 0])],
    );
    near(direction.dlib, [-0.5, -0.5, 1]);
    near(direction.faceres, [1, -1]);
  });

  it("moves a face and keeps its length", () => {
    const moved = moveAlong(face([3, 4], [1, 0]), {
      dlib: Float32Array.of(0, 0.2),
      faceres: Float32Array.of(0, 1),
    });
    const length = Math.hypot(0.6, 1);
    near(moved.dlib, [0.6 / length, 1 / length]);
    near(moved.faceres, [Math.SQRT1_2, Math.SQRT1_2]);
  });
});

describe("distinct faces", () => {
  it("keeps the first of two images of one face, and both where only one recogniser matches them", () => {
    const one = face([1, 0.1], [1, 0]);
    const again = face([1, 0.12], [1, 0.3]);
    const similarFaces = face([1, 0.11], [0.2, 1]);
    expect(distinctFaces([one, again, similarFaces])).toEqual([one, similarFaces]);
  });
});
