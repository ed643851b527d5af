/**
 * Measures the colour of drawn cards and of grey copies of them, coloured cards and pale ones, with the
 * corners that were drawn: the table of docs/measurements/attacks.md, "Pale cards".
 *
 * node lab/scripts/measure-card-colours.ts [ROUNDS] [SEED]
 */

import { endWithHelp } from "../../scripts/help.ts";
import { defaultAttackPolicy } from "../../src/judging/document/decision/attacks/attack-policy.ts";
import { colourFrame, measureColourSpread } from "../../src/judging/document/reading/traces/colour-spread.ts";
import type { Image } from "../../src/machine/imaging/image.ts";
import { makeImaging } from "../../src/machine/imaging/imaging.ts";
import { defaultImagingLimits } from "../../src/machine/imaging/limits.ts";
import { personAt } from "../../src/sandbox/persons/persons.ts";
import { sandboxCountries } from "../../src/sandbox/persons/sandbox-person.ts";
import { drawBlankCard, drawColouredCard } from "../../src/sandbox/specimen/cards/blank-card.ts";
import { layoutOf } from "../../src/sandbox/specimen/cards/cards.ts";
import { drawCardSides, portraitSize } from "../../src/sandbox/specimen/cards/draw-card.ts";
import { drawPortrait } from "../../src/sandbox/specimen/drawn-person.ts";
import { readOutlines } from "../../src/sandbox/specimen/lettering.ts";
import { drawImage } from "../training/document-attacks/kinds.ts";

endWithHelp(import.meta.filename);

const [roundsText = "2", seedText = "100"] = process.argv.slice(2);
const [rounds, seed] = [Number(roundsText), Number(seedText)];
if (!(rounds > 0) || !Number.isInteger(seed)) {
  throw new Error("usage: node lab/scripts/measure-card-colours.ts [ROUNDS] [SEED]");
}

const imaging = makeImaging({ limits: defaultImagingLimits });
const outlines = readOutlines();
const blanks = { coloured: drawColouredCard, pale: drawBlankCard } as const;
/** A side as it lies before the camera. */
const page = { width: 1130, height: 713 } as const;

/** The second axis of the colour of one photograph. */
const spreadOf = async (side: Image, kind: "genuine" | "grey-copy", at: number): Promise<number> => {
  const drawn = await imaging.resize(side, page.width, page.height);
  const { image, quad } = drawImage(kind, { page: drawn, other: drawn, outlines }, at);
  const opened = await imaging.open(await imaging.encodeJpeg(image, 85));
  const { width, aspect, inset } = colourFrame;
  return (
    measureColourSpread(imaging.rectify(opened, quad, width, Math.round(width / aspect), -inset))?.second ??
    Number.NaN
  );
};

const values = new Map<string, number[]>();
for (let round = 0; round < rounds; round++) {
  for (const [n, country] of sandboxCountries.entries()) {
    const person = personAt(country, seed + round);
    const drawn = drawPortrait(seed + round, person.gender, { width: 210, height: 270 });
    const portrait = await imaging.resize(drawn, portraitSize.width, portraitSize.height);
    for (const [name, blank] of Object.entries(blanks)) {
      const layout = layoutOf(country, person);
      const sides = await drawCardSides({ layout, portrait, outlines, seed: seed + round, blank });
      for (const side of ["front", "back"] as const) {
        for (const kind of ["genuine", "grey-copy"] as const) {
          const row = `${name}, ${side}, ${kind}`;
          const second = await spreadOf(sides[side], kind, (seed + round) * 100 + n);
          values.set(row, [...(values.get(row) ?? []), second]);
        }
      }
    }
  }
}

const { colour, pale } = defaultAttackPolicy.greyCopy;
for (const [row, found] of values) {
  const sorted = found.toSorted((a, b) => a - b);
  const [least, median, most] = [sorted[0], sorted[sorted.length >> 1], sorted.at(-1)];
  const under = (limit = 0): string => `${found.filter((value) => value < limit).length} under ${limit}`;
  console.log(
    `${row}: n ${found.length}, ${least?.toFixed(2)} to ${most?.toFixed(2)}, median ${median?.toFixed(2)}; ` +
      `${under(colour?.weak)}, ${under(pale?.weak)}`,
  );
}
