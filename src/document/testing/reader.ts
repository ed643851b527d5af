import { makeFindFaces } from "../../face/find-faces.ts";
import { makeDetect } from "../../face/detection.ts";
import { detectionLimits } from "../../face/measure-face.ts";
import { makeFitMesh } from "../../face/mesh.ts";
import { poseOf } from "../../face/pose.ts";
import { makeImaging } from "../../imaging/imaging.ts";
import { defaultImagingLimits } from "../../imaging/limits.ts";
import { ledger } from "../../inference/ledger.ts";
import { openNetworks } from "../../inference/networks.ts";
import { loadZxing } from "../barcode/zxing.ts";
import { makeReadMrz } from "../mrz/read-mrz.ts";
import type { FindFaces } from "../portrait.ts";
import { makeReadDocument } from "../read-document.ts";

/** The whole measuring part in the calling thread, with the real networks. */
export const openReader = async () => {
  const imaging = makeImaging({ limits: defaultImagingLimits });
  const { networks } = openNetworks(ledger);
  const search = makeFindFaces({
    detect: makeDetect(imaging, networks.blazeface, detectionLimits),
    fitMesh: makeFitMesh(imaging, networks.facemesh),
  });
  const findFaces: FindFaces = async (image) => {
    const { faces, turned } = await search(image);
    return faces.map(({ detection: { box }, mesh }) => ({
      box: turned
        ? { ...box, x: image.width - box.x - box.width, y: image.height - box.y - box.height }
        : box,
      score: mesh.presence,
      rollDegrees: poseOf(mesh).rollDegrees + (turned ? 180 : 0),
    }));
  };
  const readMrz = makeReadMrz({ imaging, networks });
  const readSymbols = await loadZxing();
  return {
    imaging,
    networks,
    findFaces,
    readDocument: makeReadDocument({ imaging, readMrz, findFaces, readSymbols }),
  };
};
