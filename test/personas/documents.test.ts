import { expect, it } from "vitest";
import { readRecorded } from "#support/document/recorded-readings";
import { describeDocuments } from "./describe-documents.ts";
import { decidedDocuments, personaReadingsFile, recordedNameOf } from "./document-readings.ts";

const { readings } = readRecorded(personaReadingsFile);

it("knows the personas whose documents are drawn", () => {
  expect(decidedDocuments.length).toBeGreaterThan(100);
});

/** Readings that were recorded: documents.engine.test.ts draws and reads images. */
describeDocuments(decidedDocuments, async (document) => readings.get(recordedNameOf(document))!);
