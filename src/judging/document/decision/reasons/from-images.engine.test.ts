import { expect, it } from "vitest";
import { describeReasons } from "#support/document/describe-reasons";
import type { ImageName } from "#support/document/drawn-cases";
import { drawnRecord, makeReadDrawn, readDrawnReadings, readImages } from "#support/document/drawn-readings";
import { openReader } from "#support/document/reader";
import { dataOf, openReadings } from "#support/document/recorded-readings";

/** Images are drawn and read with all networks in this one thread, beside other tests. */
const patientMs = 120_000;

const { imaging, readDocument } = await openReader();
const readDrawn = await makeReadDrawn(imaging, readDocument);
const measured = openReadings(drawnRecord);
const read = (images: ImageName) => measured(images, () => readDrawn(images));

describeReasons(read, patientMs);

for (const images of readImages) {
  it.skipIf(!measured.isDue(images))(
    `the recorded reading is that of ${images}`,
    async () => {
      expect(dataOf(await read(images))).toEqual(dataOf(readDrawnReadings().get(images)));
    },
    patientMs,
  );
}

it("each image has a recorded reading", () => {
  expect([...readDrawnReadings().keys()].toSorted()).toEqual(readImages.toSorted());
});
