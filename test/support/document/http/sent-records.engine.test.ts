import { expect, it } from "vitest";
import { hashOf } from "../../imaging/hash-of.ts";
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
    const images = await drawSentDocument(document);
    const { swapped, front, back } = await measured(name, () => readDocument(images, document.hints));
    const sent = [images.front, ...(images.back ? [images.back] : [])].map(hashOf);
    const read = [front.sha256, ...(back ? [back.sha256] : [])];
    expect(swapped ? read.toReversed() : read).toEqual(sent);
  },
  patientMs,
);

it("no other reading is recorded", () => {
  const names = [...readRecording(sentRecord.file).measurements.keys()];
  expect(names.toSorted()).toEqual([...new Set(sentDocuments.map(sentNameOf))].toSorted());
});
