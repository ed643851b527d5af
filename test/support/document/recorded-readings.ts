import type { DocumentReading, SideReading } from "#judging/document/reading/reading";
import { besideTest, type Measured, openRecord, type RecordPlace } from "../networks/open-record.ts";
import { hasSame } from "../networks/recorded-measurements.ts";

export const isReading = (one: unknown): one is DocumentReading =>
  typeof one === "object" && one !== null && "front" in one;

const isSide = (one: unknown): one is SideReading =>
  typeof one === "object" && one !== null && "sha256" in one;

const dataOfSide = ({ sha256, mrz, barcodes, faces, rotations }: SideReading) => ({
  sha256,
  mrz: mrz?.lines,
  barcodes: barcodes.map(({ text }) => text),
  faces,
  rotations,
});

/**
 * What two readings of one image share on every processor: the image and its data. Figures, and with them the
 * printed text, may differ.
 */
export const dataOf = (reading: unknown): unknown => {
  if (isSide(reading)) return dataOfSide(reading);
  if (!isReading(reading)) return reading;
  return [reading.front, ...(reading.back === undefined ? [] : [reading.back])].map(dataOfSide);
};

const withoutTime = <T>(reading: T): T => (isReading(reading) ? { ...reading, ms: 0 } : reading);

/**
 * Opens the record of a test file or of other modules, whose measurements are readings of documents or sides,
 * or others. Readings must share their data (`dataOf`), and what their record compares besides (`isSame`).
 */
export const openReadings = (owner: string | RecordPlace): Measured => {
  const place = typeof owner === "string" ? besideTest(owner) : owner;
  const measured = openRecord({
    ...place,
    isSame: (recorded, made) =>
      hasSame(dataOf(recorded), dataOf(made)) && (place.isSame?.(recorded, made) ?? true),
  });
  const read = <T>(name: string, measure: () => Promise<T>): Promise<T> =>
    measured(name, async () => withoutTime(await measure()));
  return Object.assign(read, { isDue: measured.isDue });
};
