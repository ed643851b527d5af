import { expect, it } from "vitest";
import { painted } from "./canvas.ts";
import { drawReference, referenceKinds } from "./reference-image.ts";

const portrait = painted(300, 360, (x, y) => [x % 256, y % 256, (x + y) % 256]);

it.each(referenceKinds)("draws a %s identically for one seed, and differently for another", (kind) => {
  const [first, again, other] = [1, 1, 2].map((seed) => drawReference(kind, portrait, seed));
  expect(Buffer.from(first!.image.data).equals(again!.image.data)).toBe(true);
  expect(other!.image.width === first!.image.width && other!.jpegQuality === first!.jpegQuality).toBe(false);
});

it("keeps a flat portrait flat except for print, waves and noise, and in the centre", () => {
  const grey = painted(250, 250, () => [128, 128, 128]);
  const { image } = drawReference("registry-photo", grey, 3);
  expect(new Set(image.data).size).toBe(1);
  const card = drawReference("document-portrait", grey, 3).image;
  const at = (x: number, y: number): number => card.data[(y * card.width + x) * 3 + 2]!;
  const [middle, corner] = [at(card.width >> 1, card.height >> 1), at(3, 3)];
  expect(middle).toBeLessThan(corner);
});
