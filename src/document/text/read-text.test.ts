import { beforeAll, describe, expect, it } from "vitest";
import type { Image } from "#imaging/image";
import { makeImaging } from "../../imaging/imaging.ts";
import { defaultImagingLimits } from "../../imaging/limits.ts";
import { ledger } from "../../inference/ledger.ts";
import { openNetworks } from "../../inference/networks.ts";
import { readOutlines, write } from "../../specimen/lettering.ts";
import { expose } from "../../specimen/photograph.ts";
import { drawCard } from "../testing/card.ts";
import { frameQuad, straighten, turnSide } from "../upright.ts";
import { makeDetectText } from "./detect-text.ts";
import { fold } from "./fold.ts";
import { makeTextReader, type TextReader } from "./read-text.ts";
import { makeRecogniseLines } from "./recognise-lines.ts";

const imaging = makeImaging({ limits: defaultImagingLimits });
let reader: TextReader;

beforeAll(() => {
  const { networks } = openNetworks(ledger);
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
  const card = drawCard(1200, 757, seed);
  const { sans } = readOutlines();
  for (const [text, x, y, emPx] of prints) {
    write(card, sans, text, { x: x * card.width, baseline: y * card.height, emPx, colour: [38, 40, 52] });
  }
  return expose(card, { noise: 3, blurPx: 1, falloff: 0.85, seed });
};

describe("readLines", () => {
  it("reads a card's printed lines with their signs, each where it stands, from the top", async () => {
    const lines = await reader.readLines(drawPrinted(3));
    // A label in small print may end in a letter of the wrong size: o for O.
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

  it("reads nothing on a card without print", async () => {
    await expect(reader.readLines(drawCard(1000, 631, 5))).resolves.toEqual([]);
  });
});

describe("findTurn", () => {
  it.each([0, 1, 2, 3] as const)("tells that %i quarter turns bring the text upright", async (turns) => {
    const card = drawPrinted(4);
    // What stands upright after `turns` is the card after as many turns back.
    const back = ([0, 3, 2, 1] as const)[turns];
    await expect(
      reader.findTurn(turnSide(imaging, straighten(imaging, card, frameQuad(card)), back)),
    ).resolves.toBe(turns);
  });

  it("knows of no turn where nothing is printed", async () => {
    await expect(reader.findTurn(drawCard(1000, 631, 6))).resolves.toBeUndefined();
  });
});
