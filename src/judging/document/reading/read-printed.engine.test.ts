import { expect, it } from "vitest";
import type { Imaging } from "#machine/imaging/image";
import { drawBlankCard } from "#sandbox/specimen/cards/blank-card";
import { readOutlines, write } from "#sandbox/specimen/lettering";
import { openReader } from "#support/document/reader";
import { openRecord } from "#support/networks/open-record";
import type { QuarterRotations } from "./quarter-rotations.ts";
import { printedLinesOnly } from "./side-task.ts";
import { frameQuad, rotateSide, straighten } from "./upright.ts";

const measured = openRecord(import.meta.url);
const prints = ["DOMICILIO", "CALLE LAVALLE 1234", "LUGAR DE NACIMIENTO", "CÓRDOBA", "20-12345678-6"];

const drawRotated = (imaging: Imaging, rotations: QuarterRotations): Promise<Uint8Array> => {
  const card = drawBlankCard(1100, 694, 8);
  const { sans } = readOutlines();
  for (const [i, text] of prints.entries()) {
    write(card, sans, text, { x: 80, baseline: 120 + i * 110, emPx: 44, colour: [40, 40, 50] });
  }
  const rotated = rotateSide(imaging, straighten(imaging, card, frameQuad(card)), rotations);
  return imaging.encodeJpeg(rotated, 90);
};

it.each([0, 1, 2, 3] as const)(
  "reads a card without MRZ and portrait after %i quarter rotations as it reads it upright",
  async (rotations) => {
    const texts = await measured(`rotated ${rotations}`, async () => {
      const { imaging, readSide } = await openReader();
      const { lines } = await readSide(await drawRotated(imaging, rotations), printedLinesOnly);
      return lines.map(({ text }) => text);
    });
    expect(texts).toEqual(prints);
  },
  30_000,
);
