import { readDocumentModels } from "#judging/document/decision/models/read-models";
import { makeFindMissingValues } from "#judging/document/decision/viz/missing-values";
import { loadZxing } from "#judging/document/reading/barcode/zxing";
import { greyOnce } from "#judging/document/reading/grey-once";
import { makeReadCardMaps } from "#judging/document/reading/locate/card-maps";
import { makeFindQuad } from "#judging/document/reading/locate/find-quad";
import { makeReadMrz } from "#judging/document/reading/mrz/read-mrz";
import { makeDetectText } from "#judging/document/reading/ocr/detect-text";
import { makeTextReader } from "#judging/document/reading/ocr/read-text";
import { makeRecogniseLines } from "#judging/document/reading/ocr/recognise-lines";
import { makeReadDocument } from "#judging/document/reading/read-document";
import { makeReadSide } from "#judging/document/reading/read-side";
import { makeLikeness } from "#judging/face/engine/likeness";
import { makeListFaces } from "#judging/face/engine/list-faces";
import { makeImaging } from "#machine/imaging/imaging";
import { defaultImagingLimits } from "#machine/imaging/limits";
import type { PixelMemory } from "#machine/imaging/pixel-memory";
import { networksIn } from "../networks/shared-networks.ts";

/**
 * All readers in the calling thread, with the real networks. `memory` as of an inference thread; by default
 * every array is new.
 */
export const openReader = async (memory?: PixelMemory) => {
  const imaging = makeImaging({ limits: defaultImagingLimits, ...(memory && { memory }) });
  const { networks } = networksIn(memory);
  const findFaces = makeListFaces({ imaging, networks });
  const readMrz = makeReadMrz({ imaging, networks });
  const decodeBarcodes = await loadZxing();
  const detect = makeDetectText(imaging, networks["text-detector"]);
  const sideImaging = { ...imaging, toGrey: greyOnce(imaging.toGrey) };
  const text = makeTextReader({
    imaging: sideImaging,
    detect,
    recognise: makeRecogniseLines(networks["text-line"]),
    findMissingValues: makeFindMissingValues(readDocumentModels()),
  });
  const findQuad = makeFindQuad(imaging, makeReadCardMaps(imaging, networks["card-finder"]));
  const measureLikeness = makeLikeness({ imaging, networks });
  const readSide = makeReadSide({
    imaging: sideImaging,
    findQuad,
    readMrz,
    findFaces,
    measureLikeness,
    decodeBarcodes,
    text,
  });
  return {
    imaging,
    networks,
    findFaces,
    text,
    readSide,
    readDocument: makeReadDocument(readSide),
  };
};
