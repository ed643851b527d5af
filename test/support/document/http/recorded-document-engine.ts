import { createHash } from "node:crypto";
import { expect } from "vitest";
import { asInput } from "#contract/input";
import { makeCutPart } from "#judging/document/decision/signature";
import type { DocumentEngine } from "#judging/document/reading/engine";
import type { DocumentImages } from "#judging/document/reading/read-document";
import type { DocumentReading, SideReading } from "#judging/document/reading/reading";
import type { Image, Imaging, OpenedImage, Point, Quad } from "#machine/imaging/image";
import { makeImaging } from "#machine/imaging/imaging";
import { makeInspectImage } from "#machine/imaging/inspect-image";
import { defaultImagingLimits } from "#machine/imaging/limits";
import { ledger } from "#machine/networks/ledger";
import { modelHashes } from "#machine/networks/model-files";
import { readRecording, recordKey } from "../../networks/recorded-measurements.ts";
import { openReader } from "../reader.ts";
import { sentDocuments, sentNameOf, sentRecord } from "./sent-documents.ts";

const hashOf = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

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

const distance = ([x, y]: Point, [u, v]: Point): number => Math.hypot(u - x, v - y);

/** The part of an image between these corners, upright. */
const cut = (imaging: Imaging, image: OpenedImage, corners: Quad): Image =>
  imaging.rectify(
    image,
    corners,
    Math.round(distance(corners[0], corners[1])),
    Math.round(distance(corners[0], corners[3])),
  );

/** A side with the pixels of its portrait, which no record keeps: they are cut out of the image again. */
const withPortrait = async (
  imaging: Imaging,
  side: SideReading,
  bytes: Uint8Array | undefined,
): Promise<SideReading> => {
  const { portrait } = side;
  if (portrait === undefined || bytes === undefined) return side;
  const image = cut(imaging, await imaging.open(bytes), portrait.area);
  return { ...side, portrait: { ...portrait, jpeg: Uint8Array.from(await imaging.encodeJpeg(image, 92)) } };
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

const engineOf = (imaging: Imaging, read: DocumentEngine["read"]): DocumentEngine => {
  const inspect = makeInspectImage(imaging);
  return {
    read,
    inspect: (bytes) => inspect({ bytes }),
    cutPart: makeCutPart(imaging),
    models: modelHashes(ledger),
  };
};

let opened: Promise<DocumentEngine> | undefined;

const openEngine = async (): Promise<DocumentEngine> => {
  const { imaging, readDocument } = await openReader();
  return engineOf(imaging, readDocument);
};

/** The real readers and networks in this thread, opened once for all test files of a worker. */
export const readingDocumentEngine = (): Promise<DocumentEngine> => {
  opened ??= openEngine();
  return opened;
};

/**
 * An engine that answers with what the real readers read before (`node scripts/record-readings.ts`). The decoder is the real one: bytes
 * that are no image are answered by it. A test fails that sends a document without a record.
 */
export const recordedDocumentEngine = (): DocumentEngine => {
  const imaging = makeImaging({ limits: defaultImagingLimits });
  readings ??= readSent();
  const known = readings;
  const read: DocumentEngine["read"] = async (images, hints) => {
    const hashes = [images.front, images.back].map((bytes) => bytes && hashOf(bytes));
    const record = known.get(recordKey(hashes, hints));
    if (record !== undefined) return await readingOf(imaging, record, images);
    await openSides(imaging, images);
    const missing = `A reading of this document for ${JSON.stringify(hints)} is not recorded: name it in test/support/document/http/sent-documents.ts and run node scripts/record-readings.ts`;
    // An engine that fails is an answer of the service: the test fails by itself.
    expect.soft(undefined, missing).toBeDefined();
    throw new Error(missing);
  };
  return engineOf(imaging, read);
};
