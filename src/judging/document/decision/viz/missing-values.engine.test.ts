import { expect, it } from "vitest";
import { makeImaging } from "#machine/imaging/imaging";
import { defaultImagingLimits } from "#machine/imaging/limits";
import { drawColouredCard } from "#sandbox/specimen/cards/blank-card";
import { readOutlines, write } from "#sandbox/specimen/lettering";
import { expose } from "#sandbox/specimen/photograph";
import { sharedNetworks } from "#support/networks/shared-networks";
import { type DetectText, makeDetectText } from "../../reading/ocr/detect-text.ts";
import { makeTextReader } from "../../reading/ocr/read-text.ts";
import { makeRecogniseLines } from "../../reading/ocr/recognise-lines.ts";
import { readDocumentModels } from "../models/read-models.ts";
import { makeFindMissingValues } from "./missing-values.ts";

const imaging = makeImaging({ limits: defaultImagingLimits });

/** Text, x and baseline as shares of the card. */
const prints = [
  ["Nombres", 0.3, 0.3],
  ["RONALD WALTER", 0.62, 0.3],
  ["Sexo", 0.3, 0.4],
  ["F", 0.62, 0.4],
  ["Estado Civil", 0.3, 0.5],
  ["Fecha de Emisión", 0.3, 0.6],
  ["05 03 2026", 0.62, 0.6],
] as const;

const drawPrinted = () => {
  const card = drawColouredCard(1400, 883, 3);
  const { sans } = readOutlines();
  for (const [text, x, y] of prints) {
    write(card, sans, text, { x: x * card.width, baseline: y * card.height, emPx: 32, colour: [36, 38, 50] });
  }
  return expose(card, { noise: 3, blurPx: 1, falloff: 0.85, seed: 3 });
};

it("reads a sex that the detector misses, and no civil status where none is printed", async () => {
  const { networks } = sharedNetworks();
  const detectAll = makeDetectText(imaging, networks["text-detector"]);
  /** The detector without the boxes of single letters. */
  const detect: DetectText = async (image, options) =>
    (await detectAll(image, options)).filter(({ width, height }) => width > 1.6 * height);
  const recognise = makeRecogniseLines(networks["text-line"]);
  const findMissingValues = makeFindMissingValues(readDocumentModels());
  const card = drawPrinted();
  const textsOf = async (deps: { readonly findMissingValues?: typeof findMissingValues }) =>
    (await makeTextReader({ imaging, detect, recognise, ...deps }).readLines(card)).map(({ text }) => text);
  const printed = prints.map(([text]) => text);
  await expect(textsOf({})).resolves.toEqual(printed.filter((text) => text !== "F"));
  await expect(textsOf({ findMissingValues })).resolves.toEqual(printed);
});
