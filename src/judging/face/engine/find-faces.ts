import type { Image, Imaging, Point } from "#machine/imaging/image";
import { borderGrey, type Detection } from "./detection.ts";
import { distance, intersectionOverMinimum } from "./geometry.ts";
import { type Mesh, meshCenter, meshIndex } from "./mesh.ts";
import { poseOf } from "./pose.ts";

/** A face that both networks agree on, in pixels of `image` of its search. */
export type FoundFace = { readonly detection: Detection; readonly mesh: Mesh };

/**
 * The faces of an image: its subject, then the others, widest first. `image` is the searched image (rotated
 * by 180° if `rotated`).
 */
export type Search = {
  readonly image: Image;
  readonly rotated: boolean;
  /** Grey beyond the image border, for every later sampling. */
  readonly fill: number;
  readonly faces: readonly FoundFace[];
};

type Steps = {
  /** If absent, upside-down faces are not searched. */
  readonly rotate?: Imaging["rotate"];
  readonly detect: (image: Image, border: number) => Promise<readonly Detection[]>;
  readonly fitMesh: (image: Image, detection: Detection, fill: number) => Promise<Mesh>;
};

/** Beyond this the mesh is as likely upside down as tilted, so the rotated image is tried too. */
const rollDegreesTrusted = 100;
/** A skull mask has presence .02; every real face but one of 7,701 has more than .5. */
const presenceMin = 0.5;
/**
 * Then candidates with a low detector score and a high mesh presence. Last, candidates with a high detector
 * score and a low presence (a full profile: 1 of 3,811 images of LFW). The judges receive `presence`.
 */
const rounds = [
  { scoreMin: 0.5, presenceMin },
  { scoreMin: 0.15, presenceMin: 0.9 },
  { scoreMin: 0.8, presenceMin: 0 },
] as const;
type Round = (typeof rounds)[number];
/** Largest detections first. More than this many add nothing ("too many" is decided far below). */
const facesMax = 12;
/**
 * The subject of an image is the face in its middle, even if another face is slightly nearer to the camera.
 * In LFW, which is cropped about its subject, the widest face was another person's on 13 of 3,811 images. The
 * subject's face then was at least .87 of its width.
 */
const subjectShareMin = 0.8;
const tightBorder = 0.35;
const views = [
  { rotated: false, border: 0 },
  { rotated: false, border: tightBorder },
  { rotated: true, border: 0 },
  { rotated: true, border: tightBorder },
] as const;

/**
 * Finds every face once. Tries the image as it is, then with a grey border (tight crops), then upside down. A
 * first search with a certain upright face ends it; otherwise the best search wins.
 */
export const makeFindFaces =
  ({ detect, fitMesh, rotate }: Steps) =>
  async (image: Image): Promise<Search> => {
    const fitOnce = cachingMeshes(fitMesh);
    let upsideDown: Image | undefined;
    let found: Search = { image, rotated: false, fill: 0, faces: [] };
    const seen: (readonly Detection[])[] = [];
    for (const round of rounds) {
      for (const [i, { rotated, border }] of views.entries()) {
        if (rotated && rotate === undefined) continue;
        if (rotated) upsideDown ??= rotate?.(image, 2);
        const upright = rotated && upsideDown ? upsideDown : image;
        const fill = border > 0 ? borderGrey : 0;
        const detections = (seen[i] ??= await detect(upright, border));
        const faces = await confirm(fitOnce, upright, detections, fill, round);
        const search = { image: upright, rotated, fill, faces };
        // Only the original image may end the search: a padded view can give an upside-down face a high score
        // (.85).
        if (i === 0 && isTrusted(search)) {
          return search;
        }
        if (confidenceOf(search) > confidenceOf(found)) found = search;
      }
      if (found.faces.length > 0) {
        return found;
      }
    }
    return found;
  };

/** Later rounds see the same detections again, so their meshes are cached. */
const cachingMeshes = (fitMesh: Steps["fitMesh"]): Steps["fitMesh"] => {
  const known = new Map<Detection, Mesh>();
  return async (image, detection, fill) => {
    const mesh = known.get(detection) ?? (await fitMesh(image, detection, fill));
    known.set(detection, mesh);
    return mesh;
  };
};

/** A doubtful upright face can be an upside-down one: then the rotated image gives a better result. */
const isTrusted = ({ faces }: Search): boolean => {
  const subject = faces[0];
  return (
    subject !== undefined &&
    subject.detection.score >= 0.75 &&
    subject.mesh.presence >= 0.98 &&
    Math.abs(poseOf(subject.mesh).rollDegrees) <= rollDegreesTrusted
  );
};

const confidenceOf = ({ faces }: Search): number =>
  faces[0] === undefined ? 0 : faces[0].mesh.presence * faces[0].detection.score;

const confirm = async (
  fitMesh: Steps["fitMesh"],
  image: Image,
  detections: readonly Detection[],
  fill: number,
  round: Round,
): Promise<readonly FoundFace[]> => {
  const widest = detections
    .filter(({ score }) => score >= round.scoreMin)
    .toSorted((a, b) => b.box.width - a.box.width)
    .slice(0, facesMax);
  const faces: FoundFace[] = [];
  for (const detection of widest) {
    const mesh = await fitMesh(image, detection, fill);
    const face = { detection, mesh };
    if (mesh.presence > round.presenceMin && !faces.some((known) => isSameFace(known, face))) {
      faces.push(face);
    }
  }
  return subjectFirst(faces, image);
};

/**
 * `faces` are ordered by width, widest first. Among those about as wide as the widest, the one nearest to the
 * middle is the subject.
 */
const subjectFirst = (faces: readonly FoundFace[], image: Image): readonly FoundFace[] => {
  const middle: Point = [image.width / 2, image.height / 2];
  const offMiddle = ({ detection: { box } }: FoundFace): number =>
    distance([box.x + box.width / 2, box.y + box.height / 2], middle);
  const [subject] = faces
    .filter(({ detection }) => detection.box.width >= subjectShareMin * faces[0]!.detection.box.width)
    .toSorted((a, b) => offMiddle(a) - offMiddle(b));
  return subject === undefined ? faces : [subject, ...faces.filter((face) => face !== subject)];
};

/**
 * Close-ups give nested boxes of different scales that plain NMS keeps: their meshes converge on the same
 * head.
 */
const isSameFace = (a: FoundFace, b: FoundFace): boolean => {
  const nose = (face: FoundFace) => meshCenter(face.mesh, [meshIndex.noseBridge, meshIndex.noseBase]);
  const eyes = distance(meshCenter(a.mesh, meshIndex.rightEye), meshCenter(a.mesh, meshIndex.leftEye));
  return (
    distance(nose(a), nose(b)) < eyes / 2 || intersectionOverMinimum(a.detection.box, b.detection.box) > 0.6
  );
};
