import { makeListFaces } from "../../face/engine/list-faces.ts";
import { makeImaging } from "../../imaging/imaging.ts";
import { defaultImagingLimits } from "../../imaging/limits.ts";
import { ledger } from "../../inference/ledger.ts";
import { openNetworks } from "../../inference/networks.ts";
import { loadZxing } from "../barcode/zxing.ts";
import { makeReadCardMaps } from "../locate/card-maps.ts";
import { makeFindQuad } from "../locate/find-quad.ts";
import { makeReadMrz } from "../mrz/read-mrz.ts";
import { makeReadDocument } from "../read-document.ts";
import { makeReadSide } from "../read-side.ts";
import { makeDetectText } from "../text/detect-text.ts";
import { makeTextReader } from "../text/read-text.ts";
import { makeRecogniseLines } from "../text/recognise-lines.ts";

/** The whole measuring part in the calling thread, with the real networks. */
export const openReader = async () => {
  const imaging = makeImaging({ limits: defaultImagingLimits });
  const { networks } = openNetworks(ledger);
  const findFaces = makeListFaces({ imaging, networks });
  const readMrz = makeReadMrz({ imaging, networks });
  const readSymbols = await loadZxing();
  const detect = makeDetectText(imaging, networks["text-detector"]);
  const text = makeTextReader({ imaging, detect, recognise: makeRecogniseLines(networks["text-line"]) });
  const findQuad = makeFindQuad(imaging, makeReadCardMaps(imaging, networks["card-finder"]));
  const readSide = makeReadSide({ imaging, findQuad, readMrz, findFaces, readSymbols, text });
  return {
    imaging,
    networks,
    findFaces,
    text,
    readSide,
    readDocument: makeReadDocument(readSide),
  };
};
