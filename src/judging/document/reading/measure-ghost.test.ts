import { expect, it } from "vitest";
import { findGhost, measureGhost } from "./measure-ghost.ts";
import type { FoundFace } from "./portrait.ts";

const face = (x: number, width: number, score = 0.9): FoundFace => ({
  box: { x, y: 100, width, height: 1.2 * width },
  score,
});
const portrait = face(100, 120);
const ghost = face(600, 50);
const side = { width: 800, height: 500, data: new Uint8Array(3 * 800 * 500) };

it.each([
  ["the smaller face beside the portrait", [portrait, ghost], ghost],
  ["the widest of several", [portrait, face(500, 40), ghost, face(700, 45)], ghost],
  ["none on a document with one face", [portrait], undefined],
  ["no face as large as another document's portrait", [portrait, face(600, 90)], undefined],
  ["one just smaller than that", [portrait, face(600, 89)], face(600, 89)],
  ["no face within the portrait", [portrait, face(140, 50)], undefined],
  ["no face of a low score", [portrait, face(600, 50, 0.49)], undefined],
  ["no face of a few pixels", [portrait, face(600, 31)], undefined],
  ["one of the least width", [portrait, face(600, 32)], face(600, 32)],
] as const)("finds %s", (_, faces, expected) => {
  expect(findGhost(faces, portrait)).toEqual(expected);
});

it("measures how alike ghost and portrait are, once, and nothing without a ghost", async () => {
  const asked: unknown[] = [];
  const measure = async (...question: readonly unknown[]) => {
    asked.push(question.slice(1));
    return 0.97;
  };
  const ten = [portrait, ...Array.from({ length: 10 }, (_, i) => face(300 + 50 * i, 40))];
  expect(await measureGhost(measure, side, ten, portrait)).toEqual({ widthShare: 40 / 120, likeness: 0.97 });
  expect(await measureGhost(measure, side, [portrait], portrait)).toBeUndefined();
  expect(asked).toEqual([[portrait.box, face(300, 40).box]]);
});

it("keeps a ghost that cannot be compared, without a likeness", async () => {
  const found = await measureGhost(async () => undefined, side, [portrait, ghost], portrait);
  expect(found).toEqual({ widthShare: 50 / 120 });
});
