import type { GreyImage, Image } from "#imaging/image";
import { showsOneFace } from "../challenge/judge-step.ts";
import type {
  ChallengeFrames,
  ChallengeMeasurement,
  FrameMeasurement,
  StepMeasurement,
  StepMotion,
} from "../challenge/measurement.ts";
import type { ChallengePolicy } from "../challenge/policy.ts";
import { cosine } from "../matching/fusion.ts";
import { unpackPair } from "../matching/template.ts";
import type { MeasureFace } from "../measurement.ts";
import type { Follow, FollowedFrame } from "../motion/follow.ts";
import type { Detection } from "./detection.ts";
import { eyeCentersApart, geometryOf } from "./face-geometry.ts";
import type { Search } from "./find-faces.ts";
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
  readonly search: Search;
  readonly mesh: Mesh;
  readonly grey: GreyImage;
};

/**
 * Measures a capture in this thread: its best image completely, of the other frames faces, poses, the person and the motion.
 * Frames are opened one after the other.
 */
export const makeMeasureChallenge =
  (deps: Steps) =>
  async ({ best, steps }: ChallengeFrames): Promise<ChallengeMeasurement> => {
    const measured = await deps.measureFace(best, { template: true, liveness: true });
    if (measured.kind !== "measured") return { best: measured, steps: [], models: {} };
    const { models, template } = measured;
    if (measured.face === undefined || steps.length === 0) return { best: measured, steps: [], models };
    const person = await personOf(deps, best, template);
    const measuredSteps: StepMeasurement[] = [];
    for (const frames of steps) measuredSteps.push(await measureStep(deps, frames, person));
    return { best: measured, steps: measuredSteps, models };
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
  person: Float32Array | undefined,
): Promise<StepMeasurement> => {
  const measured: FrameMeasurement[] = [];
  const known: Known[] = [];
  for (const [i, bytes] of frames.entries()) {
    const { frame, face } = await measureFrame(deps, bytes, isSearched(i, frames) ? undefined : known.at(-1));
    measured.push(frame);
    if (face !== undefined) known.push(face);
  }
  const [first, last] = [known[0], known.at(-1)];
  if (first === undefined || last === undefined || known.length < 2) return { frames: measured };
  const cosines = person && (await cosinesOf(deps, person, [first, last]));
  const motion = motionOf(deps.follow, known);
  return { frames: measured, ...(cosines && { cosines }), ...(motion && { motion }) };
};

/** The first frame, the last and one between are searched whole for faces; the others where the face was before. */
const isSearched = (i: number, { length }: readonly Uint8Array[]): boolean =>
  i === 0 || i === length - 1 || i === Math.floor(length / 2) - 1;

const measureFrame = async (
  deps: Steps,
  bytes: Uint8Array,
  before: Known | undefined,
): Promise<{ readonly frame: FrameMeasurement; readonly face?: Known }> => {
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

/** Looks where the face was before, in a third of the time of a search; a face that is not there is searched. */
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
  [first, last]: readonly [Known, Known],
): Promise<readonly [number, number]> => [
  cosine(person, await describe(first.search, first.mesh)),
  cosine(person, await describe(last.search, last.mesh)),
];

const motionOf = (follow: Follow, [first, ...others]: readonly Known[]): StepMotion | undefined => {
  const followed = first && follow(followedFrame(first), others.map(followedFrame));
  if (followed === undefined) return undefined;
  const { b, pointsFirstToLast, pointsBetweenMin, eyeStepMax, iedStepMax, pairs } = followed;
  return {
    ...(b && { b }),
    pointsFirstToLast,
    pointsBetweenMin,
    eyeStepMax,
    iedStepMax,
    cutPairs: pairs.filter((pair) => pair.b === undefined).length,
  };
};

const followedFrame = ({ grey, mesh }: Known): FollowedFrame & { readonly landmarks: Mesh["points"] } => ({
  image: grey,
  eyes: [meshCenter(mesh, meshIndex.rightEye), meshCenter(mesh, meshIndex.leftEye)],
  landmarks: mesh.points,
});
