/**
 * Draws, photographs and reads two cards of each country of `test/support/document/crossed-cards.ts`, and writes what was read to
 * test/support/document/crossed-readings.generated.json: the unit lane crosses their sides. Run it after a change of the cards or of
 * the readers; it takes a minute on an idle machine.
 *
 * node scripts/record-crossed-cards.ts
 */
import { writeFile } from "node:fs/promises";
import type { TextLine } from "#judging/document/reading/ocr/text-line";
import type { DocumentReading } from "#judging/document/reading/reading";
import { crossedCountries } from "#support/document/crossed-cards";
import { photographTwoCards } from "#support/document/photograph-crossed";
import { openReader } from "#support/document/reader";
import { endWithHelp } from "./help.ts";

endWithHelp(import.meta.filename);

const file = new URL("../test/support/document/crossed-readings.generated.json", import.meta.url);

const short = (value: number): number => Math.round(value * 10_000) / 10_000;

const rowsOf = (lines: readonly TextLine[]) =>
  lines.map(({ text, confidence, box: { x, y, width, height } }) => [
    text,
    ...[confidence, x, y, width, height].map(short),
  ]);

const recordOf = ({ front, back }: DocumentReading) => ({
  front: rowsOf(front.lines),
  back: rowsOf(back?.lines ?? []),
  mrz: back?.mrz?.lines ?? [],
  barcodes: (back?.barcodes ?? []).map(({ symbology, text }) => ({ symbology, text })),
});

type Recorded = ReturnType<typeof recordOf>;

/** One line of the file for each line of text. */
const writeCard = (card: Recorded): string =>
  `{${Object.entries(card)
    .map(([name, rows]) => `"${name}":[\n${rows.map((row) => JSON.stringify(row)).join(",\n")}]`)
    .join(",\n")}}`;

const { imaging, readDocument } = await openReader();
const countries: string[] = [];
for (const country of crossedCountries) {
  const cards: string[] = [];
  for (const images of await photographTwoCards(imaging, country)) {
    cards.push(writeCard(recordOf(await readDocument(images, { type: "ID_CARD" }))));
  }
  countries.push(`"${country}":[\n${cards.join(",\n")}]`);
}
await writeFile(file, `{\n${countries.join(",\n")}\n}\n`);
