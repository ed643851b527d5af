import { expect } from "vitest";
import { asInput } from "#contract/input";
import type { DocumentEngine } from "#judging/document/reading/engine";
import { rotateCorners, scaleCorners } from "#judging/document/reading/locate/geometry";
import { cutPortrait } from "#judging/document/reading/portrait";
import type { DocumentImages } from "#judging/document/reading/read-document";
import { readingSide } from "#judging/document/reading/read-side";
import type { DocumentReading, SideReading } from "#judging/document/reading/reading";
import { frameQuad, rotateSide, straighten } from "#judging/document/reading/upright";
import type { Imaging } from "#machine/imaging/image";
import { makeImaging } from "#machine/imaging/imaging";
import { defaultImagingLimits } from "#machine/imaging/limits";
import { readRecording, recordKey } from "../../networks/recorded-measurements.ts";
import { engineOf, keyOfReading } from "../real-engine.ts";
import { sentDocuments, sentNameOf, sentRecord } from "./sent-documents.ts";

let readings: ReadonlyMap<string, DocumentReading> | undefined;

const readSent = (): ReadonlyMap<string, DocumentReading> => {
  const recorded = readRecording<DocumentReading>(sentRecord.file).measurements;
  return new Map(
    sentDocuments.flatMap((document) => {
      const record = recorded.get(sentNameOf(document));
      if (record === undefined) return [];
      const { front, back, swapped } = record;
      const hashes = [front.sha256, back?.sha256];
      return [[recordKey(swapped ? hashes.toReversed() : hashes, document.hints), record] as const];
    }),
  );
};

/**
 * Corners in a record are whole pixels, so a side that is cut by them lies as far from the first cut as this.
 */
const apartMaxPx = 3;

/**
 * A side with the pixels of its portrait, which no record keeps: they are cut out of the image again. Throws
 * where that is another part of the image than the one that was cut first.
 */
const withPortrait = async (
  imaging: Imaging,
  side: SideReading,
  bytes: Uint8Array | undefined,
): Promise<SideReading> => {
  const { portrait, card, rotations } = side;
  if (portrait === undefined || bytes === undefined) return side;
  const opened = await imaging.open(bytes, { longSideMax: readingSide });
  const quad = card ? scaleCorners(card.corners, opened.scale, opened.scale) : frameQuad(opened);
  const upright = rotateSide(imaging, straighten(imaging, opened, quad), rotations);
  const corners = rotateCorners(scaleCorners(quad, 1 / opened.scale, 1 / opened.scale), rotations);
  const cut = await cutPortrait(imaging, upright, corners, { box: portrait.face, score: portrait.score });
  const apart = cut.area.map(([x, y], i) => Math.hypot(x - portrait.area[i]![0], y - portrait.area[i]![1]));
  if (Math.max(...apart) > apartMaxPx) {
    throw new Error(`A recorded portrait is cut ${Math.max(...apart)} px beside its place`);
  }
  return { ...side, portrait: { ...portrait, jpeg: cut.jpeg } };
};

/** A recorded reading of these images, as an inference thread hands it over. */
const readingOf = async (
  imaging: Imaging,
  record: DocumentReading,
  { front, back }: DocumentImages,
): Promise<DocumentReading> => {
  const { front: one, back: other, ...rest } = structuredClone(record);
  const [first, second] = rest.swapped ? [back, front] : [front, back];
  return {
    ...rest,
    front: await withPortrait(imaging, one, first),
    ...(other && { back: await withPortrait(imaging, other, second) }),
  };
};

/** Fails as a reading does where an image is none. */
const openSides = async (imaging: Imaging, { front, back }: DocumentImages): Promise<void> => {
  await asInput("front", () => imaging.open(front));
  if (back !== undefined) await asInput("back", () => imaging.open(back));
};

/**
 * An engine that answers with what the real readers read before (`node scripts/record-readings.ts`). The
 * decoder is the real one: bytes that are no image are answered by it. A test fails that sends a document
 * without a record.
 */
export const recordedDocumentEngine = (): DocumentEngine => {
  const imaging = makeImaging({ limits: defaultImagingLimits });
  readings ??= readSent();
  const known = readings;
  const read: DocumentEngine["read"] = async (images, hints) => {
    const record = known.get(keyOfReading(images, hints));
    if (record !== undefined) return await readingOf(imaging, record, images);
    await openSides(imaging, images);
    const missing = `A reading of this document for ${JSON.stringify(hints)} is not recorded: name it in test/support/document/http/sent-documents.ts and run node scripts/record-readings.ts`;
    // An engine that fails is an answer of the service: the test fails by itself.
    expect.soft(undefined, missing).toBeDefined();
    throw new Error(missing);
  };
  return engineOf(imaging, read);
};
