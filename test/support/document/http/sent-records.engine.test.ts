import { expect, it } from "vitest";
import { readRecording } from "../../networks/recorded-measurements.ts";
import { openReader } from "../reader.ts";
import { openReadings } from "../recorded-readings.ts";
import { drawSentDocument, sentDocuments, sentNameOf, sentRecord } from "./sent-documents.ts";

/** Images are drawn and read with all networks in this one thread, beside other tests. */
const patientMs = 120_000;

const { readDocument } = await openReader();
const measured = openReadings(sentRecord);

it.each(sentDocuments.map((document) => [sentNameOf(document), document] as const))(
  "the http lane sends %s, and answers with its reading",
  async (name, document) => {
    const read = async () => await readDocument(await drawSentDocument(document), document.hints);
    expect((await measured(name, read)).front.sha256).toMatch(/^[0-9a-f]{64}$/);
  },
  patientMs,
);

it("no other reading is recorded", () => {
  const names = [...readRecording(sentRecord.file).measurements.keys()];
  expect(names.toSorted()).toEqual([...new Set(sentDocuments.map(sentNameOf))].toSorted());
});
