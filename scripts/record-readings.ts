/**
 * Draws and reads the documents of the drawn cases and of the personas with the real readers, and writes the readings to
 * test/support/document/drawn-readings.generated.json and test/personas/document-readings.generated.json: the unit lane judges them.
 * Run it after a change of the drawings, the readers or the networks; it takes some five minutes on an idle machine.
 *
 * node scripts/record-readings.ts
 */
import { writeFile } from "node:fs/promises";
import { isDeepStrictEqual } from "node:util";
import type { DocumentReading } from "#judging/document/reading/reading";
import { drawnReadingsFile, makeReadDrawn, readImages } from "#support/document/drawn-readings";
import { openReader } from "#support/document/reader";
import { dataOf, hashOfReaders, readRecorded, writeRecorded } from "#support/document/recorded-readings";
import {
  decidedDocuments,
  makeReadPersona,
  personaReadingsFile,
  recordedNameOf,
} from "../test/personas/document-readings.ts";
import { endWithHelp } from "./help.ts";

endWithHelp(import.meta.filename);

const { imaging, readDocument } = await openReader();
const readers = hashOfReaders();

const record = async <Name extends string>(
  file: URL,
  names: readonly Name[],
  read: (name: Name) => Promise<DocumentReading>,
): Promise<void> => {
  const readings = new Map<string, DocumentReading>();
  for (const [at, name] of names.entries()) {
    readings.set(name, await read(name));
    process.stderr.write(`\r${at + 1} of ${names.length} `);
  }
  await writeFile(file, writeRecorded({ readers, readings }));
  const written = readRecorded(file).readings;
  for (const [name, reading] of readings) {
    if (!isDeepStrictEqual(dataOf(written.get(name)!), dataOf(reading))) {
      throw new Error(`The reading of ${name} cannot be written as JSON`);
    }
  }
  process.stderr.write(`\rwritten: ${file.pathname}\n`);
};

await record(drawnReadingsFile, readImages, await makeReadDrawn(imaging, readDocument));
const readPersona = makeReadPersona(imaging, readDocument);
await record(personaReadingsFile, [...new Set(decidedDocuments.map(recordedNameOf))], (name) =>
  readPersona(decidedDocuments.find((one) => one.name === name)!),
);
