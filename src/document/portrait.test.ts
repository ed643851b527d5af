import { expect, it } from "vitest";
import { countOtherPortraits, type FoundFace } from "./portrait.ts";

const face = (x: number, width: number, score = 0.9): FoundFace => ({
  box: { x, y: 100, width, height: 1.2 * width },
  score,
});

it.each([
  ["none of a picture without faces", [], 0],
  ["no portrait beside the only one", [face(100, 90)], 0],
  ["no ghost image", [face(100, 90), face(600, 45)], 0],
  ["no face that the detector sees twice", [face(100, 90), face(130, 85)], 0],
  ["no unsure face", [face(100, 90), face(600, 88, 0.6)], 0],
  ["the portrait of another document", [face(600, 88), face(100, 90)], 1],
  ["those of two others", [face(100, 90), face(600, 88), face(1100, 92)], 2],
] as const)("counts %s", (_, faces, expected) => {
  expect(countOtherPortraits(faces)).toBe(expected);
});
