import type { Image, Imaging, Point } from "#imaging/image";
import { borderGrey, type Detection } from "./detection.ts";
import { distance, intersectionOverMinimum } from "./geometry.ts";
import { type Mesh, meshCenter, meshIndex } from "./mesh.ts";
import { poseOf } from "./pose.ts";

/** A face that both networks agree on, in pixels of `image` of the search that found it. */
export type FoundFace = { readonly detection: Detection; readonly mesh: Mesh };

/** The faces of a picture: its subject, then the others, widest first. `image` is the picture as searched (turned by 180° when `turned`). */
export type Search = {
  readonly image: Image;
  readonly turned: boolean;
  /** Grey outside the picture for every later sampling. */
  readonly fill: number;
  readonly faces: readonly FoundFace[];
};

type Steps = {
  /** Absent: a face on its head is not looked for. */
  readonly turn?: Imaging["turn"];
  readonly detect: (image: Image, border: number) => Promise<readonly Detection[]>;
  readonly fitMesh: (image: Image, detection: Detection, fill: number) => Promise<Mesh>;
};

/** Beyond this the mesh is as likely upside down as tilted: the turned picture is tried too. */
const rollDegreesTrusted = 100;
/** A skull mask has presence .02, every real face but one of 7,701 more than .5. */
const presenceMin = 0.5;
/**
 * Then candidates that the detector doubts where the mesh has no doubt, and last those of which the detector is
 * sure while the mesh is not (a full profile: 1 of 3,811 pictures of LFW). `presence` tells the judges.
 */
const rounds = [
  { scoreMin: 0.5, presenceMin },
  { scoreMin: 0.15, presenceMin: 0.9 },
  { scoreMin: 0.8, presenceMin: 0 },
] as const;
type Round = (typeof rounds)[number];
/** Largest detections first; more than this many say nothing new ("too many" is decided far below). */
const facesMax = 12;
/**
 * A picture is taken of the face in its middle: a bystander who is a little nearer to the camera does not displace
 * it. In LFW, which is cropped about its subject, the widest face was another person's on 13 of 3,811 pictures, and
 * the subject's then was .87 of its width at least.
 */
const subjectShareMin = 0.8;
const tightBorder = 0.35;
const views = [
  { turned: false, border: 0 },
  { turned: false, border: tightBorder },
  { turned: true, border: 0 },
  { turned: true, border: tightBorder },
] as const;

/**
 * Finds every face once. Tries the picture as it is, then with a grey border (tight crops), then upside down;
 * a first try that surely shows an upright face ends the search, else the surest wins.
 */
export const makeFindFaces =
  ({ detect, fitMesh, turn }: Steps) =>
  async (image: Image): Promise<Search> => {
    const fitOnce = rememberingMeshes(fitMesh);
    let upsideDown: Image | undefined;
    let found: Search = { image, turned: false, fill: 0, faces: [] };
    const seen: (readonly Detection[])[] = [];
    for (const round of rounds) {
      for (const [i, { turned, border }] of views.entries()) {
        if (turned && turn === undefined) continue;
        if (turned) upsideDown ??= turn?.(image, 2);
        const upright = turned && upsideDown ? upsideDown : image;
        const fill = border > 0 ? borderGrey : 0;
        const detections = (seen[i] ??= await detect(upright, border));
        const faces = await confirm(fitOnce, upright, detections, fill, round);
        const search = { image: upright, turned, fill, faces };
        // Only the picture as it came may end the search: a padded view can be sure of a face on its head (.85).
        if (i === 0 && isTrusted(search)) {
          return search;
        }
        if (sureness(search) > sureness(found)) found = search;
      }
      if (found.faces.length > 0) {
        return found;
      }
    }
    return found;
  };

/** The rounds see the same detections again. */
const rememberingMeshes = (fitMesh: Steps["fitMesh"]): Steps["fitMesh"] => {
  const known = new Map<Detection, Mesh>();
  return async (image, detection, fill) => {
    const mesh = known.get(detection) ?? (await fitMesh(image, detection, fill));
    known.set(detection, mesh);
    return mesh;
  };
};

/** A face on its head is sometimes taken for a doubtful upright one: then the turned picture shows it better. */
const isTrusted = ({ faces }: Search): boolean => {
  const subject = faces[0];
  return (
    subject !== undefined &&
    subject.detection.score >= 0.75 &&
    subject.mesh.presence >= 0.98 &&
    Math.abs(poseOf(subject.mesh).rollDegrees) <= rollDegreesTrusted
  );
};

const sureness = ({ faces }: Search): number =>
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

/** `faces` come widest first. Of those about as wide as the widest, the one nearest to the middle is the subject. */
const subjectFirst = (faces: readonly FoundFace[], image: Image): readonly FoundFace[] => {
  const middle: Point = [image.width / 2, image.height / 2];
  const offMiddle = ({ detection: { box } }: FoundFace): number =>
    distance([box.x + box.width / 2, box.y + box.height / 2], middle);
  const [subject] = faces
    .filter(({ detection }) => detection.box.width >= subjectShareMin * faces[0]!.detection.box.width)
    .toSorted((a, b) => offMiddle(a) - offMiddle(b));
  return subject === undefined ? faces : [subject, ...faces.filter((face) => face !== subject)];
};

/** Close-ups give nested boxes of other scale that plain NMS keeps: their meshes settle on the same head. */
const isSameFace = (a: FoundFace, b: FoundFace): boolean => {
  const nose = (face: FoundFace) => meshCenter(face.mesh, [meshIndex.noseBridge, meshIndex.noseBase]);
  const eyes = distance(meshCenter(a.mesh, meshIndex.rightEye), meshCenter(a.mesh, meshIndex.leftEye));
  return (
    distance(nose(a), nose(b)) < eyes / 2 || intersectionOverMinimum(a.detection.box, b.detection.box) > 0.6
  );
};
