import { makeDetect } from "../../src/face/engine/detection.ts";
import { detectionLimits } from "../../src/face/engine/detector.ts";
import { makeFindFaces } from "../../src/face/engine/find-faces.ts";
import { type Mesh, makeFitMesh } from "../../src/face/engine/mesh.ts";
import { alignFace, type Embedding, makeEmbed } from "../../src/face/engine/recognition.ts";
import type { Image, Imaging } from "../../src/imaging/image.ts";
import { ledger } from "../../src/inference/ledger.ts";
import { openNetworks } from "../../src/inference/networks.ts";

/** The largest face of a picture as the product sees it. */
export type SeenFace = {
  /** The picture, turned if that is how the face was found. */
  readonly image: Image;
  readonly mesh: Mesh;
  /** The chip of which quality is measured, as `alignFace` cuts it. */
  readonly aligned: Float32Array;
  readonly embedding: Embedding;
};

/** Undefined where no face is found. */
export const makeSeeFace = (imaging: Imaging): ((picture: Image) => Promise<SeenFace | undefined>) => {
  const { networks } = openNetworks(ledger);
  const find = makeFindFaces({
    detect: makeDetect(imaging, networks.blazeface, detectionLimits),
    fitMesh: makeFitMesh(imaging, networks.facemesh),
    turn: imaging.turn,
  });
  const embed = makeEmbed(imaging, networks["dlib-resnet"], networks.faceres);
  return async (picture) => {
    const { image, fill, faces } = await find(picture);
    const mesh = faces[0]?.mesh;
    if (mesh === undefined) return undefined;
    const aligned = alignFace(imaging, image, mesh, fill);
    return { image, mesh, aligned, embedding: await embed(image, mesh, fill, aligned) };
  };
};
