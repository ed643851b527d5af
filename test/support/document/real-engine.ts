import { makeCutPart } from "#judging/document/decision/signature";
import type { DocumentEngine } from "#judging/document/reading/engine";
import type { DocumentReading } from "#judging/document/reading/reading";
import type { Imaging } from "#machine/imaging/image";
import { makeInspectImage } from "#machine/imaging/inspect-image";
import { ledger } from "#machine/networks/ledger";
import { modelHashes } from "#machine/networks/model-files";
import { hashOf } from "../imaging/hash-of.ts";
import { recordKey } from "../networks/recorded-measurements.ts";
import { openReader } from "./reader.ts";

/** An engine with these readings. Its other parts are the product's own. */
export const engineOf = (imaging: Imaging, read: DocumentEngine["read"]): DocumentEngine => {
  const inspect = makeInspectImage(imaging);
  return {
    read,
    inspect: (bytes) => inspect({ bytes }),
    cutPart: makeCutPart(imaging),
    models: modelHashes(ledger),
  };
};

/** The place of a reading: its images, and what was asked of them. */
export const keyOfReading: (...asked: Parameters<DocumentEngine["read"]>) => string = (
  { front, back },
  hints,
) => recordKey([hashOf(front), back && hashOf(back)], hints);

const openOwn = async (): Promise<DocumentEngine> => {
  const { imaging, readDocument } = await openReader();
  const known = new Map<string, Promise<DocumentReading>>();
  return engineOf(imaging, async (images, hints) => {
    const key = keyOfReading(images, hints);
    const reading = known.get(key) ?? readDocument(images, hints);
    known.set(key, reading);
    return await reading;
  });
};

let opened: Promise<DocumentEngine> | undefined;

/**
 * The product's own readers and networks in this thread; an image is read once for all test files of a
 * worker.
 */
export const openRealEngine = (): Promise<DocumentEngine> => {
  opened ??= openOwn();
  return opened;
};
