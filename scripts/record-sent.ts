/**
 * Reads the documents and measures the faces that the http lane sends, with the real readers and the real engine: the lane answers calls
 * with them. Run it after a change of the drawings, the readers, the engine or the networks; it takes some two minutes on an idle
 * machine. It writes:
 *
 * - test/support/document/http/sent-readings.generated.json: the documents
 * - test/support/face/face-measurements.generated.json: the faces
 *
 * node scripts/record-sent.ts
 */
import { writeFile } from "node:fs/promises";
import { isDeepStrictEqual } from "node:util";
import type { DocumentReading } from "#judging/document/reading/reading";
import {
  drawSentDocument,
  sentDocuments,
  sentNameOf,
  sentReadingsFile,
} from "#support/document/http/sent-documents";
import { dataOf, hashOfReaders, readRecorded, writeRecorded } from "#support/document/http/sent-record";
import { openReader } from "#support/document/reader";
import { openFaceEngine } from "#support/face/images";
import { measuredNames, recordedNameOf as nameOfMeasured, sentImageOf } from "#support/face/measured-images";
import {
  hashOfImage,
  hashOfMeasuring,
  measurementsFile,
  type RecordedMeasurement,
  readMeasurements,
  writeMeasurements,
} from "#support/face/recorded-measurements";
import { endWithHelp } from "./help.ts";

endWithHelp(import.meta.filename);

const { readDocument } = await openReader();
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

const sent = new Map(sentDocuments.map((document) => [sentNameOf(document), document]));
await record(sentReadingsFile, [...sent.keys()], async (name) => {
  const document = sent.get(name)!;
  return await readDocument(await drawSentDocument(document), document.hints);
});

const engine = openFaceEngine();
const measurements = new Map<string, RecordedMeasurement>();
for (const { image, wanted } of measuredNames) {
  const bytes = await sentImageOf(engine, image);
  const measured = await engine.measure(bytes, wanted);
  measurements.set(nameOfMeasured({ image, wanted }), { sha256: hashOfImage(bytes), wanted, measured });
}
await writeFile(measurementsFile, writeMeasurements({ measuring: hashOfMeasuring(), measurements }));
const written = readMeasurements(measurementsFile).measurements;
for (const [name, measurement] of measurements) {
  if (!isDeepStrictEqual(written.get(name), measurement)) {
    throw new Error(`The measurement of ${name} cannot be written as JSON`);
  }
}
process.stderr.write(`written: ${measurementsFile.pathname}\n`);
