import { expect, it } from "vitest";
import { describeDocuments } from "./describe-documents.ts";
import { decidedDocuments, readPersonaReadings, recordedNameOf } from "./document-readings.ts";

const readings = readPersonaReadings();

it("knows the personas whose documents are drawn", () => {
  expect(decidedDocuments.length).toBeGreaterThan(100);
});

/** Readings that were recorded: documents.engine.test.ts draws and reads images. */
describeDocuments(decidedDocuments, async (document) => readings.get(recordedNameOf(document))!);
