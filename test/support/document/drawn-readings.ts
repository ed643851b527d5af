import { singleSidedTypes } from "#contract/document-type";
import type { ReadDocument } from "#judging/document/reading/read-document";
import type { DocumentReading } from "#judging/document/reading/reading";
import type { Imaging } from "#machine/imaging/image";
import type { RecordPlace } from "../networks/open-record.ts";
import { readRecording } from "../networks/recorded-measurements.ts";
import { drawnCases, type ImageName } from "./drawn-cases.ts";
import { makeDrawImages } from "./drawn-documents.ts";

/** Where the readings of the drawn cases are recorded. */
export const drawnRecord: RecordPlace = {
  file: new URL("drawn-readings.generated.json", import.meta.url),
  modules: [import.meta.url, new URL("reader.ts", import.meta.url).href],
};

/** The recorded readings of the drawn cases. */
export const readDrawnReadings = (): ReadonlyMap<string, DocumentReading> =>
  readRecording<DocumentReading>(drawnRecord.file).measurements;

/** Images that are approved as a Chilean passport. */
export const approvedImages = [
  "a genuine passport",
  "a genuine passport on its head",
  "a genuine passport on its side",
  "a genuine passport of twelve megapixels",
  "a passport of a child",
] as const satisfies readonly ImageName[];

/** All images of the drawn cases, each once. */
export const readImages: readonly ImageName[] = [
  ...new Set([...approvedImages, ...drawnCases.map(({ images }) => images)]),
];

/** Draws and reads images as the first case that shows them declares them. */
export const makeReadDrawn = async (
  imaging: Imaging,
  readDocument: ReadDocument,
): Promise<(images: ImageName) => Promise<DocumentReading>> => {
  const drawImages = await makeDrawImages(imaging);
  return async (images) => {
    const type = drawnCases.find((one) => one.images === images)?.declared?.type ?? "PASSPORT";
    // Traces of attacks are measured on passports only: drawn cards are as pale as a copy.
    const hints = { type, attacks: singleSidedTypes.includes(type) };
    return await readDocument(await drawImages(images), hints);
  };
};
