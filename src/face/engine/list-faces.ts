import type { Box, Image, Imaging } from "#imaging/image";
import type { Networks } from "#inference/model";
import { makeDetector } from "./detector.ts";
import { makeFindFaces } from "./find-faces.ts";
import { makeFitMesh } from "./mesh.ts";
import { poseOf } from "./pose.ts";
import type { DetectorNetwork } from "./yunet.ts";

/**
 * A face and how it stands: box in pixels of the picture, roll in degrees (180: upside down). `score` is the
 * detector's times the mesh's presence: it ranks an upright portrait above the same one standing on its head.
 */
export type ListedFace = { readonly box: Box; readonly score: number; readonly rollDegrees: number };

/** Every upright face of a picture, in no order to rely on, without measuring any of them: portraits on documents. */
export const makeListFaces = ({
  imaging,
  networks,
  detector,
}: {
  readonly imaging: Imaging;
  readonly networks: Pick<Networks, "blazeface" | "facemesh">;
  /** Face detector that the operator added; the bundled one without it. */
  readonly detector?: DetectorNetwork | undefined;
}): ((image: Image) => Promise<readonly ListedFace[]>) => {
  const findFaces = makeFindFaces({
    detect: makeDetector(imaging, networks.blazeface, detector),
    fitMesh: makeFitMesh(imaging, networks.facemesh),
  });
  return async (image) =>
    (await findFaces(image)).faces.map(({ detection: { box, score }, mesh }) => ({
      box,
      score: score * mesh.presence,
      rollDegrees: poseOf(mesh).rollDegrees,
    }));
};
