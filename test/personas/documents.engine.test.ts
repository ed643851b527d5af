import { expect, it } from "vitest";
import { openReader } from "#support/document/reader";
import { dataOf, openReadings } from "#support/document/recorded-readings";
import type { DecidedDocument } from "./decided-documents.ts";
import { describeDocuments } from "./describe-documents.ts";
import {
  decidedDocuments,
  makeReadPersona,
  personaRecord,
  readPersonaReadings,
  recordedNameOf,
} from "./document-readings.ts";

/** Images are drawn and read with all networks in this one thread, beside other tests. */
const patientMs = 120_000;

const { imaging, readDocument } = await openReader();
const readPersona = makeReadPersona(imaging, readDocument);
const measured = openReadings(personaRecord);

/** Each image of a declared type is read once, as a validation reads it. */
const read = (document: DecidedDocument) => measured(recordedNameOf(document), () => readPersona(document));

describeDocuments(decidedDocuments, read, patientMs);

for (const document of decidedDocuments) {
  const name = recordedNameOf(document);
  it.skipIf(!measured.isDue(name))(
    `the recorded reading is that of ${document.name}`,
    async () => {
      expect(dataOf(await read(document))).toEqual(dataOf(readPersonaReadings().get(name)));
    },
    patientMs,
  );
}

it("each document has a recorded reading", () => {
  const names = new Set(decidedDocuments.map(recordedNameOf));
  expect([...readPersonaReadings().keys()].toSorted()).toEqual([...names].toSorted());
});
