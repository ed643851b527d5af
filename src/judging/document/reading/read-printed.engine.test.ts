import { expect, it } from "vitest";
import { drawBlankCard } from "#sandbox/specimen/cards/blank-card";
import { readOutlines, write } from "#sandbox/specimen/lettering";
import { openReader } from "#support/document/reader";
import { printedLinesOnly } from "./side-task.ts";
import { frameQuad, rotateSide, straighten } from "./upright.ts";

it.each([0, 1, 2, 3] as const)(
  "reads a card without MRZ and portrait after %i quarter rotations as it reads it upright",
  async (rotations) => {
    const { imaging, readSide } = await openReader();
    const card = drawBlankCard(1100, 694, 8);
    const { sans } = readOutlines();
    const prints = ["DOMICILIO", "CALLE LAVALLE 1234", "LUGAR DE NACIMIENTO", "CÓRDOBA", "20-12345678-6"];
    for (const [i, text] of prints.entries()) {
      write(card, sans, text, { x: 80, baseline: 120 + i * 110, emPx: 44, colour: [40, 40, 50] });
    }
    const rotated = rotateSide(imaging, straighten(imaging, card, frameQuad(card)), rotations);
    const { lines } = await readSide(await imaging.encodeJpeg(rotated, 90), printedLinesOnly);
    expect(lines.map(({ text }) => text)).toEqual(prints);
  },
  30_000,
);
