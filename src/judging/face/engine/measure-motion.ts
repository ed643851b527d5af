import type { Image, Imaging } from "#machine/imaging/image";
import type { Motion } from "../liveness/cues/measured-cues.ts";
import { type FrameFace, measureMotion } from "../liveness/cues/motion.ts";
import { cosine } from "../matching/fusion.ts";
import { makeFollow } from "../motion/follow.ts";
import type { Search } from "./find-faces.ts";
import type { Eye } from "./iris.ts";
import { type Mesh, meshCenter, meshIndex } from "./mesh.ts";
import { poseOf } from "./pose.ts";

type Steps = {
  /** Undefined for bytes that are not a searchable image. */
  readonly open: (bytes: Uint8Array) => Promise<Image | undefined>;
  readonly toGrey: Imaging["toGrey"];
  readonly findFaces: (image: Image) => Promise<Search>;
  readonly readEyes: (image: Image, mesh: Mesh) => Promise<readonly [right: Eye, left: Eye]>;
  /** Unit vector that identifies a person. */
  readonly describe: (search: Search, mesh: Mesh) => Promise<Float32Array>;
};

/**
 * dlib's cosine. Frames of one man have .947 and more (55 pairs, blinking and rotated ones among them).
 * Impostor pairs of LFW have .84 with a deviation of .034: three deviations below.
 */
const samePersonCosineMin = 0.94;

/**
 * The motion between the best image and the capture's other frames. Frames without a face, or of another
 * person, are left out: an image of another person must not count as motion of the first. Undefined if no
 * frame is left.
 */
export const makeMeasureMotion = (steps: Steps) => {
  const { open, findFaces } = steps;
  const follow = makeFollow();
  return async (best: Search, others: readonly Uint8Array[]): Promise<Motion | undefined> => {
    const first = await faceOf(steps, best);
    if (first === undefined) return undefined;
    const faces: Known[] = [first];
    for (const bytes of others) {
      const image = await open(bytes);
      const face = image === undefined ? undefined : await faceOf(steps, await findFaces(image));
      if (face !== undefined && cosine(first.vector, face.vector) >= samePersonCosineMin) faces.push(face);
    }
    return measureMotion(faces, follow);
  };
};

const faceOf = async ({ toGrey, readEyes, describe }: Steps, search: Search): Promise<Known | undefined> => {
  const mesh = search.faces[0]?.mesh;
  if (mesh === undefined) return undefined;
  const eyes = await readEyes(search.image, mesh);
  return {
    image: toGrey(search.image),
    eyes: [meshCenter(mesh, meshIndex.rightEye), meshCenter(mesh, meshIndex.leftEye)],
    landmarks: mesh.points,
    pose: poseOf(mesh),
    eyeOpenness: [eyes[0].openness, eyes[1].openness],
    vector: await describe(search, mesh),
  };
};

type Known = FrameFace & { readonly vector: Float32Array };
