import { describe, expect, it } from "vitest";
import { openReader } from "../reader.ts";
import { drawSentDocument, sentDocuments, sentNameOf, sentReadingsFile } from "./sent-documents.ts";
import { dataOf, readAgain, readRecorded } from "./sent-record.ts";

/** What the http lane answers calls with: a tenth is read again each day, all of it after a change. */
describe("the records of the http lane", () => {
  const readings = readRecorded(sentReadingsFile);
  const sent = new Map(sentDocuments.map((document) => [sentNameOf(document), document]));

  it("hold a reading of each document that is sent", () => {
    expect([...readings.readings.keys()].toSorted()).toEqual([...sent.keys()].toSorted());
  });

  it("hold the reading that the readers make", async () => {
    const { readDocument } = await openReader();
    for (const name of readAgain(readings)) {
      const document = sent.get(name)!;
      const read = await readDocument(await drawSentDocument(document), document.hints);
      expect(dataOf(read), `${name}: node scripts/record-sent.ts`).toEqual(
        dataOf(readings.readings.get(name)!),
      );
    }
  });
});
