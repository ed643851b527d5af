import { Failure } from "#contract/failure";
import type { Image, Imaging, OpenedImage, Point, Quad } from "#machine/imaging/image";
import type { Networks } from "#machine/networks/model";
import { eyewearOdds, type NamedEyewearProbe } from "../attributes/eyewear-probe.ts";
import type { NamedCohort } from "../matching/cohort.ts";
import { centredFaceres, packTemplate } from "../matching/template.ts";
import type {
  FaceAttributes,
  FaceMeasurement,
  LivenessCues,
  MeasuredFace,
  MeasuredImage,
  MeasureFace,
  Wanted,
} from "../measurement.ts";
import { makeEmbedAdded, type RecogniserNetwork } from "./added-recogniser.ts";
import { makeBackgroundOf } from "./background.ts";
import { makeDetector } from "./detector.ts";
import { eyeCentersApart, geometryOf } from "./face-geometry.ts";
import { makeFindFaces, type Search } from "./find-faces.ts";
import { measureFingerprint } from "./fingerprint.ts";
import { unpackFrames } from "./frames.ts";
import { distance } from "./geometry.ts";
import { makeReadEyes } from "./iris.ts";
import { measureCues } from "./measure-cues.ts";
import { makeMeasureMotion } from "./measure-motion.ts";
import { flat, type Mesh, makeFitMesh } from "./mesh.ts";
import { type AddedLiveness, hashesOf, makeNetworkLiveness, makeShadowLiveness } from "./network-liveness.ts";
import { measureQuality } from "./quality.ts";
import { alignFace, type Embedding, makeEmbed, makeEmbedDlib } from "./recognition.ts";
import type { DetectorNetwork } from "./yunet.ts";

/**
 * Full HD keeps the original pixels of a webcam or a front camera (moiré needs them). A 12 MP photo is
 * reduced during decoding, which is twice as fast as a full decode.
 */
const longSideMax = 1920;
/** The least side of a searchable image: BlazeFace's own cell is 16 of 256 px. */
const imageSideMin = 32;

export type FaceEngineDeps = {
  readonly imaging: Imaging;
  readonly networks: Networks;
  readonly cohort: NamedCohort;
  /** Liveness networks added by the operator; absent without them. */
  readonly liveness?: AddedLiveness;
  /** Face detector added by the operator; absent for the bundled one. */
  readonly detector?: DetectorNetwork | undefined;
  /** Recogniser added by the operator; absent for the bundled pair. */
  readonly recogniser?: RecogniserNetwork | undefined;
  /** Estimates eyewear; absent for no estimate. */
  readonly eyewear?: NamedEyewearProbe | undefined;
};

/**
 * Measures faces in this thread. Decodes each image once. Of several frames the first is measured completely.
 */
export const makeMeasureFace = (deps: FaceEngineDeps): MeasureFace => {
  const { imaging, networks } = deps;
  const findFaces = makeFindFaces({
    detect: makeDetector(imaging, networks.blazeface, deps.detector),
    fitMesh: makeFitMesh(imaging, networks.facemesh),
    rotate: imaging.rotate,
  });
  const readEyes = makeReadEyes(imaging, networks.iris);
  const describe = makeDescribe(deps);
  const cuesOf = makeCues(deps, findFaces, readEyes);
  const backgroundOf = makeBackgroundOf(imaging);
  const shadowOf = makeShadowLiveness(deps.liveness?.shadow ?? []);
  return async (bytes, wanted) => {
    const [best, ...others] = wanted.frames ? unpackFrames(bytes) : ([bytes] as const);
    const whole = await openImage(imaging, best);
    if ("kind" in whole) return whole;
    const opened = wanted.area === undefined ? whole : cutArea(imaging, whole, wanted.area);
    const search = await findFaces(opened);
    const subject = search.faces[0];
    const image = imageOf(opened, search, modelsOf(deps, wanted));
    if (subject === undefined) return image;
    const { mesh, detection } = subject;
    const eyes = wanted.liveness || wanted.attributes ? await readEyes(search.image, mesh) : undefined;
    const aligned = alignFace(imaging, search.image, mesh, search.fill);
    const face: MeasuredFace = {
      confidence: detection.score,
      presence: mesh.presence,
      ...geometryOf(mesh, search.image),
      eyeDistancePx: eyes ? distance(eyes[0].irisCenter, eyes[1].irisCenter) : eyeCentersApart(mesh),
      ...(eyes && { eyeOpenness: [eyes[0].openness, eyes[1].openness] }),
      quality: measureQuality(aligned),
      fingerprint: measureFingerprint(aligned),
      ...(wanted.mesh && { mesh: mesh.points.map(flat) }),
    };
    const cues = wanted.liveness ? await cuesOf(opened, search, face, others) : undefined;
    const shadow = wanted.liveness ? await shadowOf(search.image, face.box) : undefined;
    const described = await describe(search, mesh, aligned, wanted);
    const background = wanted.attributes ? await backgroundOf(search.image, face.box) : undefined;
    return {
      ...image,
      ...(background && { background }),
      face,
      ...(cues && { cues }),
      ...(shadow && { shadow }),
      ...described,
    };
  };
};

const lengthOf = (a: Point, b: Point): number => Math.hypot(a[0] - b[0], a[1] - b[1]);
const sideOf = (one: number, other: number): number =>
  Math.min(longSideMax, Math.max(imageSideMin, Math.round((one + other) / 2)));

/** The area upright, at the pixels of the opened image and at least as large as a searchable image. */
const cutArea = (imaging: Imaging, { file, scale, ...image }: OpenedImage, area: Quad): OpenedImage => {
  const at = ([x, y]: Point): Point => [x * scale, y * scale];
  const corners: Quad = [at(area[0]), at(area[1]), at(area[2]), at(area[3])];
  const [p0, p1, p2, p3] = corners;
  const width = sideOf(lengthOf(p0, p1), lengthOf(p3, p2));
  const height = sideOf(lengthOf(p0, p3), lengthOf(p1, p2));
  return { ...imaging.rectify(image, corners, width, height), file, scale };
};

/** The traces of an attack in the image, and the motion between it and the capture's other frames. */
const makeCues = (
  { imaging, networks, liveness }: FaceEngineDeps,
  findFaces: (image: Image) => Promise<Search>,
  readEyes: ReturnType<typeof makeReadEyes>,
) => {
  const embedDlib = makeEmbedDlib(imaging, networks["dlib-resnet"]);
  const networkOf = makeNetworkLiveness(liveness?.active ?? []);
  const measureMotion = makeMeasureMotion({
    open: async (bytes) => {
      const opened = await openImage(imaging, bytes);
      return "kind" in opened ? undefined : opened;
    },
    toGrey: imaging.toGrey,
    findFaces,
    readEyes,
    describe: ({ image, fill }, mesh) => embedDlib(image, mesh, fill),
  });
  return async (
    opened: OpenedImage,
    search: Search,
    { box }: MeasuredFace,
    others: readonly Uint8Array[],
  ): Promise<LivenessCues> => {
    const cues = await measureCues(imaging, opened, search.image, box);
    const motion = others.length === 0 ? undefined : await measureMotion(search, others);
    return { ...cues, ...(motion && { motion }), ...(await networkOf(search.image, box)) };
  };
};

/** A searchable image, at most Full HD; otherwise why it is none. */
export const openImage = async (
  imaging: Imaging,
  bytes: Uint8Array,
): Promise<OpenedImage | FaceMeasurement> => {
  try {
    const opened = await imaging.open(bytes, { longSideMax });
    const isSearchable = Math.min(opened.width, opened.height) >= imageSideMin;
    return isSearchable ? opened : { kind: "unprepared", code: "image_unreadable" };
  } catch (error) {
    if (error instanceof Failure) {
      const { code, facts } = error;
      if (code === "image_unreadable" || code === "image_unsupported" || code === "image_too_large") {
        // A side under the decoder's own limit is a small image too, not a fault of its bytes.
        return { kind: "sideMin" in facts ? "unprepared" : "unreadable", code, facts };
      }
    }
    throw error;
  }
};

const imageOf = (opened: OpenedImage, search: Search, models: MeasuredImage["models"]): MeasuredImage => {
  const widths = search.faces.map(({ detection }) => detection.box.width);
  return {
    kind: "measured",
    file: opened.file,
    width: opened.width,
    height: opened.height,
    scale: opened.scale,
    faceWidths: widths.map((width) => width / widths[0]!),
    models,
  };
};

/** Runs the recognisers if template or attributes are requested: they share one pass. */
const makeDescribe = ({ imaging, networks, cohort, recogniser, eyewear }: FaceEngineDeps) => {
  const embedAdded = recogniser && makeEmbedAdded(imaging, recogniser);
  const models = { dlib: networks["dlib-resnet"].hash, faceres: networks.faceres.hash };
  const embed = makeEmbed(imaging, networks["dlib-resnet"], networks.faceres);
  const describe = async (
    { image, fill }: Pick<Search, "image" | "fill">,
    mesh: Mesh,
    aligned: Float32Array,
    wanted: Wanted,
  ): Promise<Pick<MeasuredImage, "template" | "attributes">> => {
    if (!wanted.template && !wanted.attributes) {
      return {};
    }
    if (embedAdded !== undefined && wanted.template) {
      const rest = await describe({ image, fill }, mesh, aligned, { ...wanted, template: false });
      return { ...rest, template: await embedAdded(image, mesh, fill) };
    }
    const embedding = await embed(image, mesh, fill, aligned);
    return {
      ...(wanted.template && { template: packTemplate(models, embedding, cohort) }),
      ...(wanted.attributes && { attributes: attributesOf(embedding, eyewear) }),
    };
  };
  return describe;
};

const attributesOf = (embedding: Embedding, eyewear: NamedEyewearProbe | undefined): FaceAttributes => {
  const { ageYears, maleness } = embedding;
  const odds = eyewear && { eyewear: eyewearOdds(eyewear, centredFaceres(embedding)) };
  return { ageYears, maleness, ...odds };
};

const modelsOf = (
  { networks, cohort, liveness, detector, recogniser, eyewear }: FaceEngineDeps,
  wanted: Wanted,
): MeasuredImage["models"] => {
  const recognisers = [networks["dlib-resnet"], networks.faceres];
  const used = [
    detector ?? networks.blazeface,
    networks.facemesh,
    ...(wanted.liveness || wanted.attributes ? [networks.iris] : []),
    ...(wanted.attributes || (wanted.template && !recogniser) ? recognisers : []),
    ...(wanted.attributes && eyewear ? [{ name: "eyewear-probe", hash: eyewear.hash }] : []),
    ...(wanted.template ? [recogniser ?? { name: "face-cohort", hash: cohort.hash }] : []),
    ...(wanted.liveness ? (liveness?.active ?? []) : []),
  ];
  return hashesOf(used);
};
