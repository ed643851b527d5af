import { makeDetect } from "../../../src/judging/face/engine/detection.ts";
import { detectionLimits } from "../../../src/judging/face/engine/detector.ts";
import { makeFindFaces } from "../../../src/judging/face/engine/find-faces.ts";
import { type Mesh, makeFitMesh } from "../../../src/judging/face/engine/mesh.ts";
import { alignFace, type Embedding, makeEmbed } from "../../../src/judging/face/engine/recognition.ts";
import type { Image, Imaging } from "../../../src/machine/imaging/image.ts";
import { ledger } from "../../../src/machine/networks/ledger.ts";
import { openNetworks } from "../../../src/machine/networks/networks.ts";

/** The largest face of an image as the product measures it. */
export type MeasuredFace = {
  /** The image, rotated if the face was found in a rotated copy. */
  readonly image: Image;
  readonly mesh: Mesh;
  /** The chip for the quality measurement, as cut by `alignFace`. */
  readonly aligned: Float32Array;
  readonly embedding: Embedding;
};

/** Undefined where no face is found. */
export const makeMeasureFace = (
  imaging: Imaging,
): ((imageFile: Image) => Promise<MeasuredFace | undefined>) => {
  const { networks } = openNetworks(ledger);
  const find = makeFindFaces({
    detect: makeDetect(imaging, networks.blazeface, detectionLimits),
    fitMesh: makeFitMesh(imaging, networks.facemesh),
    rotate: imaging.rotate,
  });
  const embed = makeEmbed(imaging, networks["dlib-resnet"], networks.faceres);
  return async (imageFile) => {
    const { image, fill, faces } = await find(imageFile);
    const mesh = faces[0]?.mesh;
    if (mesh === undefined) return undefined;
    const aligned = alignFace(imaging, image, mesh, fill);
    return { image, mesh, aligned, embedding: await embed(image, mesh, fill, aligned) };
  };
};
