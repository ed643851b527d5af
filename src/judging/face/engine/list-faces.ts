import type { Box, Image, Imaging } from "#machine/imaging/image";
import type { Networks } from "#machine/networks/model";
import { makeDetector } from "./detector.ts";
import { makeFindFaces } from "./find-faces.ts";
import { makeFitMesh } from "./mesh.ts";
import { poseOf } from "./pose.ts";
import type { DetectorNetwork } from "./yunet.ts";

/**
 * A face with its orientation: box in pixels of the image, roll in degrees (180: upside down). `score` is the
 * detector's score times the mesh's presence: an upright portrait ranks above the same portrait upside down.
 */
export type ListedFace = { readonly box: Box; readonly score: number; readonly rollDegrees: number };

/**
 * Lists every upright face of an image, in no defined order, without measuring any of them: portraits on
 * documents.
 */
export const makeListFaces = ({
  imaging,
  networks,
  detector,
}: {
  readonly imaging: Imaging;
  readonly networks: Pick<Networks, "blazeface" | "facemesh">;
  /** Face detector added by the operator; absent for the bundled one. */
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
