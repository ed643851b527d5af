import type { GreyImage, Image } from "#machine/imaging/image";
import type {
  ChallengeFrames,
  ChallengeMeasurement,
  FrameMeasurement,
  StepMeasurement,
  StepMotion,
} from "../challenge/measurement.ts";
import { showsOneFace } from "../challenge/one-face.ts";
import type { ChallengePolicy } from "../challenge/policy.ts";
import { cosine } from "../matching/fusion.ts";
import { unpackPair } from "../matching/template.ts";
import type { MeasuredImage, MeasureFace } from "../measurement.ts";
import type { Follow, FollowedFrame } from "../motion/follow.ts";
import { type LandmarkedFace, landmarkDistance } from "../motion/landmark-distance.ts";
import type { Detection } from "./detection.ts";
import { eyeCentersApart, geometryOf } from "./face-geometry.ts";
import type { Search } from "./find-faces.ts";
import { centroid } from "./geometry.ts";
import { type Mesh, meshCenter, meshIndex } from "./mesh.ts";
import { poseOf } from "./pose.ts";

type Steps = {
  readonly measureFace: MeasureFace;
  /** Opens a frame of a step; undefined for bytes that are no searchable image within the limits. */
  readonly openFrame: (bytes: Uint8Array) => Promise<Image | undefined>;
  /** Opens the best image, at its own size. */
  readonly openBest: (bytes: Uint8Array) => Promise<Image | undefined>;
  readonly toGrey: (image: Image) => GreyImage;
  readonly findFaces: (image: Image) => Promise<Search>;
  readonly fitMesh: (image: Image, detection: Detection, fill: number) => Promise<Mesh>;
  /** dlib's unit vector of a face. */
  readonly describe: (search: Search, mesh: Mesh) => Promise<Float32Array>;
  readonly follow: Follow;
  /** Which frames show one face: the others are left out of motion and person. */
  readonly faces: Pick<ChallengePolicy, "presenceMin" | "secondFaceShareMin">;
};

/** A frame that shows one face. */
type Known = {
  /** Its place in its step. */
  readonly place: number;
  readonly search: Search;
  readonly mesh: Mesh;
  readonly grey: GreyImage;
};

/**
 * Measures a capture in this thread: its best image completely, of the other frames faces, poses, the person
 * and the motion. Frames are opened one after the other.
 */
export const makeMeasureChallenge =
  (deps: Steps) =>
  async ({ best, steps }: ChallengeFrames): Promise<ChallengeMeasurement> => {
    const opened = await deps.measureFace(best, { template: true, liveness: true, mesh: steps.length > 0 });
    if (opened.kind !== "measured") return { best: opened, steps: [], models: {} };
    const { measured, landmarks } = withoutMesh(opened);
    const { models, template } = measured;
    if (measured.face === undefined || steps.length === 0) return { best: measured, steps: [], models };
    const subject = { person: await personOf(deps, best, template), face: landmarks };
    const measuredSteps: StepMeasurement[] = [];
    for (const frames of steps) measuredSteps.push(await measureStep(deps, frames, subject));
    return { best: measured, steps: measuredSteps, models };
  };

/** Whom the frames must show: dlib's vector and the landmarks of the best image. */
type Subject = {
  readonly person: Float32Array | undefined;
  readonly face: LandmarkedFace | undefined;
};

/** The landmarks leave this thread with no measurement: they describe the person's face. */
const withoutMesh = (
  measured: MeasuredImage,
): { readonly measured: MeasuredImage; readonly landmarks?: LandmarkedFace } => {
  if (measured.face?.mesh === undefined) return { measured };
  const { mesh, ...face } = measured.face;
  const eyes = [
    centroid(meshIndex.rightEye.map((i) => mesh[i]!)),
    centroid(meshIndex.leftEye.map((i) => mesh[i]!)),
  ] as const;
  return { measured: { ...measured, face }, landmarks: { eyes, landmarks: mesh } };
};

/** dlib's vector of the best image: a template of the bundled pair holds it. */
const personOf = async (
  { openBest, findFaces, describe }: Steps,
  best: Uint8Array,
  template: Uint8Array | undefined,
): Promise<Float32Array | undefined> => {
  const pair = template && unpackPair(template);
  if (pair !== undefined) return pair.dlib;
  const image = await openBest(best);
  const search = image && (await findFaces(image));
  const mesh = search?.faces[0]?.mesh;
  return search && mesh && (await describe(search, mesh));
};

const measureStep = async (
  deps: Steps,
  frames: readonly Uint8Array[],
  { person, face: bestFace }: Subject,
): Promise<StepMeasurement> => {
  const measured: FrameMeasurement[] = [];
  const known: Known[] = [];
  for (const [i, bytes] of frames.entries()) {
    const { frame, face } = await measureFrame(deps, bytes, isSearched(i, frames) ? undefined : known.at(-1));
    measured.push(frame);
    if (face !== undefined) known.push({ ...face, place: i });
  }
  const [first] = known;
  if (first === undefined || known.length < 2) return { frames: measured };
  const cosines = person && (await cosinesOf(deps, person, known));
  const motion = motionOf(deps.follow, known);
  const bestDistance = bestFace && landmarkDistance(bestFace, followedFrame(first));
  return {
    frames: measured,
    ...(cosines && { cosines }),
    ...(bestDistance !== undefined && { bestDistance }),
    ...(motion && { motion }),
  };
};

/**
 * The first frame, the last and one between are searched whole for faces; the others where the face was
 * before.
 */
const isSearched = (i: number, { length }: readonly Uint8Array[]): boolean =>
  i === 0 || i === length - 1 || i === Math.floor(length / 2) - 1;

const measureFrame = async (
  deps: Steps,
  bytes: Uint8Array,
  before: Known | undefined,
): Promise<{ readonly frame: FrameMeasurement; readonly face?: Omit<Known, "place"> }> => {
  const { toGrey, faces } = deps;
  const image = await deps.openFrame(bytes);
  if (image === undefined) return { frame: { isImage: false, faceWidths: [] } };
  const search = await searchFrame(deps, image, before);
  const subject = search.faces[0];
  if (subject === undefined) return { frame: { isImage: true, faceWidths: [] } };
  const { mesh } = subject;
  const widths = search.faces.map(({ detection }) => detection.box.width);
  const frame: FrameMeasurement = {
    isImage: true,
    faceWidths: widths.map((width) => width / widths[0]!),
    presence: mesh.presence,
    pose: poseOf(mesh),
    eyeDistancePx: eyeCentersApart(mesh),
  };
  return showsOneFace(frame, faces)
    ? { frame, face: { search, mesh, grey: toGrey(search.image) } }
    : { frame };
};

/**
 * Looks where the face was before, in a third of the time of a search; a face that is not there is searched.
 */
const searchFrame = async (
  { findFaces, fitMesh, faces: { presenceMin } }: Steps,
  image: Image,
  before: Known | undefined,
): Promise<Search> => {
  if (before === undefined) return findFaces(image);
  const { box } = geometryOf(before.mesh, image);
  const keypoints = [meshIndex.rightEye, meshIndex.leftEye].map((eye) => meshCenter(before.mesh, eye));
  const detection = { score: before.mesh.presence, box, keypoints };
  const mesh = await fitMesh(image, detection, 0);
  if (!(mesh.presence >= presenceMin)) return findFaces(image);
  return { image, rotated: false, fill: 0, faces: [{ detection, mesh }] };
};

const cosinesOf = async (
  { describe }: Steps,
  person: Float32Array,
  known: readonly Known[],
): Promise<readonly number[]> => {
  const cosines: number[] = [];
  for (const { search, mesh } of known) cosines.push(cosine(person, await describe(search, mesh)));
  return cosines;
};

const motionOf = (follow: Follow, known: readonly Known[]): StepMotion | undefined => {
  const [first, ...others] = known;
  const followed = first && follow(followedFrame(first), others.map(followedFrame));
  if (followed === undefined) return undefined;
  const { b, pointsFirstToLast, pointsBetweenMin, eyeStepMax, iedStepMax, pairs, path } = followed;
  return {
    ...(b && { b }),
    pointsFirstToLast,
    pointsBetweenMin,
    eyeStepMax,
    iedStepMax,
    cutPairs: pairs.filter((pair) => pair.b === undefined).length,
    pairs: pairs.map(({ eyeStep, iedStep, landmarkStep }, i) => ({
      frames: [known[i]!.place, known[i + 1]!.place],
      eyeStep,
      iedStep,
      ...(landmarkStep !== undefined && { landmarkStep }),
      ...(path && { along: path[i + 1]!.along - path[i]!.along, aside: path[i + 1]!.aside }),
    })),
  };
};

const followedFrame = ({
  grey,
  mesh,
}: Pick<Known, "grey" | "mesh">): FollowedFrame & { readonly landmarks: Mesh["points"] } => ({
  image: grey,
  eyes: [meshCenter(mesh, meshIndex.rightEye), meshCenter(mesh, meshIndex.leftEye)],
  landmarks: mesh.points,
});
