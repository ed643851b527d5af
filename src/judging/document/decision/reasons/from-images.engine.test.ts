import { expect, it } from "vitest";
import { describeReasons } from "#support/document/describe-reasons";
import type { ImageName } from "#support/document/drawn-cases";
import { drawnReadingsFile, makeReadDrawn, readImages } from "#support/document/drawn-readings";
import { openReader } from "#support/document/reader";
import { dataOf, readAgain, readRecorded } from "#support/document/recorded-readings";
import type { DocumentReading } from "../../reading/reading.ts";

/** Images are drawn and read with all networks in this one thread, beside other tests. */
const patientMs = 120_000;

const { imaging, readDocument } = await openReader();
const readDrawn = await makeReadDrawn(imaging, readDocument);
const recorded = readRecorded(drawnReadingsFile);
const chosen = readAgain(recorded);
const readings = new Map<ImageName, Promise<DocumentReading>>();

/** Each image is read once. */
const read = (images: ImageName): Promise<DocumentReading> => {
  const reading = readings.get(images) ?? readDrawn(images);
  readings.set(images, reading);
  return reading;
};

describeReasons((images) => chosen.has(images), read, patientMs);

it.each(readImages.filter((images) => chosen.has(images)))(
  "the recorded reading is that of %s",
  async (images) => {
    expect(dataOf(recorded.readings.get(images)!), "node scripts/record-readings.ts").toEqual(
      dataOf(await read(images)),
    );
  },
  patientMs,
);

it("each image has a recorded reading", () => {
  expect([...recorded.readings.keys()]).toEqual(readImages);
});
