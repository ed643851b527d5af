import type { Box, Image, Imaging } from "#machine/imaging/image";
import type { Networks } from "#machine/networks/model";
import { makeDetector } from "./detector.ts";
import { makeFitMesh } from "./mesh.ts";
import { makeEmbedDlib } from "./recognition.ts";
import type { DetectorNetwork } from "./yunet.ts";

/** How much of a face's surroundings is searched for it, in widths and heights of its box. */
const margin = 0.6;

/** A face was found there already: a low score is enough, and the mesh confirms it. */
const scoreMin = 0.3;
const presenceMin = 0.5;

/**
 * How alike two faces of one image are: the cosine of their descriptors, 1 for the same face. Undefined where
 * one of them is not found again. One recogniser with its mirror suffices: the question is not who it is, but
 * whether one photograph was printed twice.
 */
export const makeLikeness = ({
  imaging,
  networks,
  detector,
}: {
  readonly imaging: Imaging;
  readonly networks: Pick<Networks, "blazeface" | "facemesh" | "dlib-resnet">;
  /** Face detector added by the operator; absent for the bundled one. */
  readonly detector?: DetectorNetwork | undefined;
}): ((image: Image, one: Box, other: Box) => Promise<number | undefined>) => {
  const detect = makeDetector(imaging, networks.blazeface, detector);
  const fitMesh = makeFitMesh(imaging, networks.facemesh);
  const embed = makeEmbedDlib(imaging, networks["dlib-resnet"]);
  const describe = async (image: Image, box: Box): Promise<Float32Array | undefined> => {
    const part = imaging.crop(image, surroundings(image, box));
    const [face] = (await detect(part, 0)).toSorted((a, b) => b.score - a.score);
    if (face === undefined || face.score < scoreMin) return undefined;
    const mesh = await fitMesh(part, face, 0);
    return mesh.presence < presenceMin ? undefined : await embed(part, mesh, 0);
  };
  return async (image, one, other) => {
    const [first, second] = [await describe(image, one), await describe(image, other)];
    return first && second && first.reduce((sum, value, i) => sum + value * second[i]!, 0);
  };
};

const surroundings = (image: Image, { x, y, width, height }: Box): Box => {
  const left = Math.max(0, Math.floor(x - margin * width));
  const top = Math.max(0, Math.floor(y - margin * height));
  return {
    x: left,
    y: top,
    width: Math.max(1, Math.min(image.width, Math.ceil(x + (1 + margin) * width)) - left),
    height: Math.max(1, Math.min(image.height, Math.ceil(y + (1 + margin) * height)) - top),
  };
};
