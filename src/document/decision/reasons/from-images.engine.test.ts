import { expect, it } from "vitest";
import type { DocumentReading } from "../../reading/reading.ts";
import { describeReasons } from "../../testing/describe-reasons.ts";
import type { ImageName } from "../../testing/drawn-cases.ts";
import { drawnReadingsFile, makeReadDrawn, readImages } from "../../testing/drawn-readings.ts";
import { openReader } from "../../testing/reader.ts";
import { dataOf, readAgain, readRecorded } from "../../testing/recorded-readings.ts";

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
