import { expect, it } from "vitest";
import type { DocumentReading } from "#judging/document/reading/reading";
import { openReader } from "#support/document/reader";
import { dataOf, readAgain, readRecorded } from "#support/document/recorded-readings";
import type { DecidedDocument } from "./decided-documents.ts";
import { describeDocuments } from "./describe-documents.ts";
import {
  decidedDocuments,
  makeReadPersona,
  personaReadingsFile,
  recordedNameOf,
} from "./document-readings.ts";

/** Images are drawn and read with all networks in this one thread, beside other tests. */
const patientMs = 120_000;

const { imaging, readDocument } = await openReader();
const readPersona = makeReadPersona(imaging, readDocument);
const recorded = readRecorded(personaReadingsFile);
const chosen = readAgain(recorded);
const documents = decidedDocuments.filter((document) => chosen.has(recordedNameOf(document)));
const readings = new Map<string, Promise<DocumentReading>>();

/** Each image of a declared type is drawn and read once, as a validation reads it. */
const read = (document: DecidedDocument): Promise<DocumentReading> => {
  const name = recordedNameOf(document);
  const reading = readings.get(name) ?? readPersona(document);
  readings.set(name, reading);
  return reading;
};

describeDocuments(documents, read, patientMs);

it.each(documents)(
  "the recorded reading is that of $name",
  async (document) => {
    expect(
      dataOf(recorded.readings.get(recordedNameOf(document))!),
      "node scripts/record-readings.ts",
    ).toEqual(dataOf(await read(document)));
  },
  patientMs,
);

it("each document has a recorded reading", () => {
  expect([...recorded.readings.keys()]).toEqual([...new Set(decidedDocuments.map(recordedNameOf))]);
});
