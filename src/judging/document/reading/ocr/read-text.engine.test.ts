import { beforeAll, describe, expect, it } from "vitest";
import type { Image } from "#machine/imaging/image";
import { makeImaging } from "#machine/imaging/imaging";
import { defaultImagingLimits } from "#machine/imaging/limits";
import { drawBlankCard } from "#sandbox/specimen/cards/blank-card";
import { readOutlines, write } from "#sandbox/specimen/lettering";
import { expose } from "#sandbox/specimen/photograph";
import { sharedNetworks } from "#support/networks/shared-networks";
import { fold } from "../../values/fold.ts";
import { frameQuad, rotateSide, straighten } from "../upright.ts";
import { makeDetectText } from "./detect-text.ts";
import { makeTextReader, type TextReader } from "./read-text.ts";
import { makeRecogniseLines } from "./recognise-lines.ts";

const imaging = makeImaging({ limits: defaultImagingLimits });
let reader: TextReader;

beforeAll(() => {
  const { networks } = sharedNetworks();
  const detect = makeDetectText(imaging, networks["text-detector"]);
  reader = makeTextReader({ imaging, detect, recognise: makeRecogniseLines(networks["text-line"]) });
});

/** Text, x and baseline as shares of the card, em in px. */
const prints = [
  ["REPÚBLICA DE HONDURAS", 0.06, 0.12, 46],
  ["NOMBRE / FORENAME", 0.38, 0.24, 26],
  ["MARÍA JOSÉ", 0.38, 0.31, 40],
  ["APELLIDO / SURNAME", 0.38, 0.41, 26],
  ["MUÑOZ AGÜERO", 0.38, 0.48, 40],
  ["FECHA DE NACIMIENTO", 0.38, 0.58, 26],
  ["01-01-1990", 0.38, 0.65, 40],
  ["SEXO", 0.72, 0.58, 26],
  ["F", 0.72, 0.65, 40],
  ["0801-1990-12345", 0.38, 0.8, 40],
] as const;

const drawPrinted = (seed: number): Image => {
  const card = drawBlankCard(1200, 757, seed);
  const { sans } = readOutlines();
  for (const [text, x, y, emPx] of prints) {
    write(card, sans, text, { x: x * card.width, baseline: y * card.height, emPx, colour: [38, 40, 52] });
  }
  return expose(card, { noise: 3, blurPx: 1, falloff: 0.85, seed });
};

describe("readLines", () => {
  it("reads a card's printed lines with their signs, each in its place, from the top", async () => {
    const lines = await reader.readLines(drawPrinted(3));
    // A label in small print may end in a letter of the wrong case: o for O.
    expect(lines.map(({ text }) => text.toUpperCase())).toEqual([
      "REPÚBLICA DE HONDURAS",
      "NOMBRE / FORENAME",
      "MARÍA JOSÉ",
      "APELLIDO / SURNAME",
      "MUÑOZ AGÜERO",
      "FECHA DE NACIMIENTO",
      "SEXO",
      "01-01-1990",
      "F",
      "0801-1990-12345",
    ]);
    for (const { text, confidence, box } of lines) {
      const [, x, y] = prints.find(([print]) => fold(print) === fold(text))!;
      expect(Math.abs(box.x - x)).toBeLessThan(0.03);
      expect(box.y).toBeLessThan(y);
      expect(box.y + box.height).toBeGreaterThan(y - 0.01);
      expect(confidence).toBeGreaterThan(0.5);
      expect(confidence).toBeLessThanOrEqual(1);
    }
  });

  it("reads nothing on a card without text", async () => {
    await expect(reader.readLines(drawBlankCard(1000, 631, 5))).resolves.toEqual([]);
  });
});

describe("findRotation", () => {
  it.each([0, 1, 2, 3] as const)(
    "finds that %i quarter rotations bring the text upright",
    async (rotations) => {
      const card = drawPrinted(4);
      // The card that is upright after `rotations` is the card rotated back by as many.
      const back = ([0, 3, 2, 1] as const)[rotations];
      await expect(
        reader.findRotation(rotateSide(imaging, straighten(imaging, card, frameQuad(card)), back)),
      ).resolves.toBe(rotations);
    },
  );

  it("is undefined when there is no text", async () => {
    await expect(reader.findRotation(drawBlankCard(1000, 631, 6))).resolves.toBeUndefined();
  });
});
