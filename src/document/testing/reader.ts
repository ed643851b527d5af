import { makeListFaces } from "#face/engine/list-faces";
import { makeImaging } from "#imaging/imaging";
import { defaultImagingLimits } from "#imaging/limits";
import type { PixelMemory } from "#imaging/pixel-memory";
import { networksIn } from "#inference/testing/shared-networks";
import { readDocumentModels } from "../decision/models/read-models.ts";
import { makeFindMissingValues } from "../decision/viz/missing-values.ts";
import { loadZxing } from "../reading/barcode/zxing.ts";
import { greyOnce } from "../reading/grey-once.ts";
import { makeReadCardMaps } from "../reading/locate/card-maps.ts";
import { makeFindQuad } from "../reading/locate/find-quad.ts";
import { makeReadMrz } from "../reading/mrz/read-mrz.ts";
import { makeDetectText } from "../reading/ocr/detect-text.ts";
import { makeTextReader } from "../reading/ocr/read-text.ts";
import { makeRecogniseLines } from "../reading/ocr/recognise-lines.ts";
import { makeReadDocument } from "../reading/read-document.ts";
import { makeReadSide } from "../reading/read-side.ts";

/**
 * All readers in the calling thread, with the real networks. `memory` as of an inference thread; by default every
 * array is new.
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
  const readSide = makeReadSide({ imaging: sideImaging, findQuad, readMrz, findFaces, decodeBarcodes, text });
  return {
    imaging,
    networks,
    findFaces,
    text,
    readSide,
    readDocument: makeReadDocument(readSide),
  };
};
