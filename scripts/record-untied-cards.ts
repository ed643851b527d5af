/**
 * Draws, photographs and reads the scenes of `test/support/document/untied-cards.ts`, and writes what was read to
 * test/support/document/untied-readings.generated.json: the unit lane judges it. Run it after a change of the scenes or of the
 * readers; it takes two minutes on an idle machine.
 *
 * node scripts/record-untied-cards.ts
 */
import { writeFile } from "node:fs/promises";
import type { DocumentReading, SideReading } from "#judging/document/reading/reading";
import { openStudio } from "#support/document/photograph-crossed";
import { openReader } from "#support/document/reader";
import { type Scene, untiedScenes } from "#support/document/untied-cards";
import { endWithHelp } from "./help.ts";

endWithHelp(import.meta.filename);

const file = new URL("../test/support/document/untied-readings.generated.json", import.meta.url);

const short = (value: number): number => Math.round(value * 10_000) / 10_000;

const sideOf = ({ lines, mrz, barcodes, faces, portrait }: SideReading) => ({
  lines: lines.map(({ text, confidence, box: { x, y, width, height } }) => [
    text,
    ...[confidence, x, y, width, height].map(short),
  ]),
  ...(mrz && { mrz: { lines: mrz.lines, accepted: mrz.accepted, clear: mrz.clear } }),
  barcodes: barcodes.map(({ symbology, text }) => ({ symbology, text })),
  faces,
  hasPortrait: portrait !== undefined,
});

const recordOf = ({ name, country }: Scene, { swapped, front, back }: DocumentReading) => ({
  name,
  country,
  swapped,
  front: sideOf(front),
  ...(back && { back: sideOf(back) }),
});

const { imaging, readDocument } = await openReader();
const studio = await openStudio(imaging);
const rows: string[] = [];
for (const scene of untiedScenes) {
  const reading = await readDocument(await scene.draw(studio), { type: scene.type });
  rows.push(JSON.stringify(recordOf(scene, reading)));
}
await writeFile(file, `[\n${rows.join(",\n")}\n]\n`);
