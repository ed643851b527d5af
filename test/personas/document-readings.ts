import type { ReadDocument } from "#judging/document/reading/read-document";
import type { DocumentReading } from "#judging/document/reading/reading";
import type { Imaging } from "#machine/imaging/image";
import { personas } from "#sandbox/personas/catalogue/catalogue";
import { makeDrawPersona } from "#sandbox/specimen/persona-images";
import type { RecordPlace } from "#support/networks/open-record";
import { readRecording } from "#support/networks/recorded-measurements";
import { type DecidedDocument, decidedDocumentOf, declaredOf } from "./decided-documents.ts";

/** Where the readings of the personas' documents are recorded. */
export const personaRecord: RecordPlace = {
  file: new URL("document-readings.generated.json", import.meta.url),
  modules: [import.meta.url, new URL("../support/document/reader.ts", import.meta.url).href],
};

/** The recorded readings of the personas' documents. */
export const readPersonaReadings = (): ReadonlyMap<string, DocumentReading> =>
  readRecording<DocumentReading>(personaRecord.file).measurements;

export const decidedDocuments: readonly DecidedDocument[] = personas.flatMap(
  (persona) => decidedDocumentOf(persona) ?? [],
);

/** Documents of one key have the same images and the same declared type: they are read once. */
export const keyOf = (document: DecidedDocument): string =>
  JSON.stringify([document.front, document.back, declaredOf(document).type]);

/**
 * The name under which the reading of a document is recorded: that of the first persona with the same images.
 */
export const recordedNameOf = (document: DecidedDocument): string =>
  (decidedDocuments.find((one) => keyOf(one) === keyOf(document)) ?? document).name;

/** Draws and reads a document as a validation does. */
export const makeReadPersona = (
  imaging: Imaging,
  readDocument: ReadDocument,
): ((document: DecidedDocument) => Promise<DocumentReading>) => {
  const drawPersona = makeDrawPersona(imaging);
  return async (document) => {
    const { front, back } = document;
    const images = {
      front: await drawPersona(front),
      ...(back !== undefined && { back: await drawPersona(back) }),
    };
    return await readDocument(images, { type: declaredOf(document).type, attacks: true });
  };
};
