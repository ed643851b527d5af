import { Failure } from "#contract/failure";
import type { Box, Image, Imaging, OpenedImage } from "#imaging/image";
import type { Networks } from "#inference/model";
import type { Cohort } from "./cohort.ts";
import { type DetectionLimits, makeDetect } from "./detection.ts";
import { makeFindFaces, type Search } from "./find-faces.ts";
import { measureFingerprint } from "./fingerprint.ts";
import { distance } from "./geometry.ts";
import { makeReadEyes } from "./iris.ts";
import { measureLight } from "./light.ts";
import type {
  FaceMeasurement,
  LivenessCues,
  MeasuredFace,
  MeasuredPicture,
  MeasureFace,
  Wanted,
} from "./measurement.ts";
import { type Mesh, makeFitMesh, meshCenter, meshIndex } from "./mesh.ts";
import { measureMoire } from "./moire.ts";
import { poseOf } from "./pose.ts";
import { measureQuality } from "./quality.ts";
import { alignFace, makeEmbed } from "./recognition.ts";
import { measureSurround } from "./surround.ts";
import { packTemplate } from "./template.ts";

/** Doubtful candidates are kept for `findFaces` to weigh; .3 is MediaPipe's own overlap. */
export const detectionLimits: DetectionLimits = { scoreMin: 0.15, overlapMax: 0.3 };

/**
 * Full HD keeps a webcam's or a front camera's own pixels (moiré needs them); a 12 MP photo shrinks while it is
 * decoded, which is twice as fast as decoding it whole.
 */
const longSideMax = 1920;
/** Long side of the small view on which edges and light are measured. */
const smallSide = 480;
/** Under this no face can be searched: BlazeFace's own cell is 16 of 256 px. */
const pictureSideMin = 32;

type Room = { readonly imaging: Imaging; readonly networks: Networks; readonly cohort: Cohort };

/** Measures faces in this thread. Decodes each picture once. */
export const makeMeasureFace = ({ imaging, networks, cohort }: Room): MeasureFace => {
  const findFaces = makeFindFaces({
    detect: makeDetect(imaging, networks.blazeface, detectionLimits),
    fitMesh: makeFitMesh(imaging, networks.facemesh),
  });
  const readEyes = makeReadEyes(imaging, networks.iris);
  const describe = makeDescribe({ imaging, networks, cohort });
  return async (bytes, wanted) => {
    const opened = await openPicture(imaging, bytes);
    if ("kind" in opened) {
      return opened;
    }
    const search = await findFaces(opened);
    const subject = search.faces[0];
    const picture = pictureOf(opened, search, modelsOf(networks, wanted));
    if (subject === undefined) {
      return picture;
    }
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
    };
    const cues = wanted.liveness
      ? await measureCues(imaging, search.image, opened.scale, face.box)
      : undefined;
    return { ...picture, face, ...(cues && { cues }), ...(await describe(search, mesh, aligned, wanted)) };
  };
};

const openPicture = async (imaging: Imaging, bytes: Uint8Array): Promise<OpenedImage | FaceMeasurement> => {
  try {
    const opened = await imaging.open(bytes, { longSideMax });
    const isSearchable = Math.min(opened.width, opened.height) >= pictureSideMin;
    return isSearchable ? opened : { kind: "unprepared", code: "image_unreadable" };
  } catch (error) {
    if (error instanceof Failure) {
      const { code, facts } = error;
      if (code === "image_unreadable" || code === "image_unsupported" || code === "image_too_large") {
        return { kind: "unreadable", code, facts };
      }
    }
    throw error;
  }
};

const pictureOf = (
  opened: OpenedImage,
  search: Search,
  models: MeasuredPicture["models"],
): MeasuredPicture => {
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

/** Runs the recognisers where template or attributes are wanted: they share one pass. */
const makeDescribe = ({ imaging, networks, cohort }: Room) => {
  const models = { dlib: networks["dlib-resnet"].hash, faceres: networks.faceres.hash };
  const embed = makeEmbed(imaging, networks["dlib-resnet"], networks.faceres);
  return async (
    { image, fill }: Search,
    mesh: Mesh,
    aligned: Float32Array,
    wanted: Wanted,
  ): Promise<Pick<MeasuredPicture, "template" | "attributes">> => {
    if (!wanted.template && !wanted.attributes) {
      return {};
    }
    const embedding = await embed(image, mesh, fill, aligned);
    const { ageYears, maleness } = embedding;
    return {
      ...(wanted.template && { template: packTemplate(models, embedding, cohort) }),
      ...(wanted.attributes && { attributes: { ageYears, maleness } }),
    };
  };
};

const modelsOf = (networks: Networks, wanted: Wanted): MeasuredPicture["models"] => {
  const used = [
    networks.blazeface,
    networks.facemesh,
    ...(wanted.liveness || wanted.attributes ? [networks.iris] : []),
    ...(wanted.template || wanted.attributes ? [networks["dlib-resnet"], networks.faceres] : []),
  ];
  return Object.fromEntries(used.map(({ name, hash }) => [name, hash]));
};

const eyeCentersApart = (mesh: Mesh): number =>
  distance(meshCenter(mesh, meshIndex.rightEye), meshCenter(mesh, meshIndex.leftEye));

const geometryOf = (
  mesh: Mesh,
  image: Image,
): Pick<MeasuredFace, "box" | "pose" | "outsideShare" | "borderMargin"> => {
  const xs = mesh.points.map(([x]) => x);
  const ys = mesh.points.map(([, y]) => y);
  const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const isOutside = (x: number, y: number): boolean =>
    x < 0 || y < 0 || x >= image.width || y >= image.height;
  return {
    box: { x: left, y: top, width: right - left, height: bottom - top },
    pose: poseOf(mesh),
    outsideShare: mesh.points.filter(([x, y]) => isOutside(x, y)).length / mesh.points.length,
    borderMargin: Math.min(left, top, image.width - right, image.height - bottom) / (right - left),
  };
};

const measureCues = async (
  imaging: Imaging,
  image: Image,
  scale: number,
  face: Box,
): Promise<LivenessCues> => {
  const shrink = smallSide / Math.max(image.width, image.height);
  const small = await imaging.resize(
    image,
    Math.round(image.width * shrink),
    Math.round(image.height * shrink),
  );
  const smallGrey = imaging.toGrey(small);
  const box = {
    x: face.x * shrink,
    y: face.y * shrink,
    width: face.width * shrink,
    height: face.height * shrink,
  };
  const surround = measureSurround(smallGrey, box);
  // A grid of pixels does not survive scaling: on a shrunken picture the cue is missing.
  const isNative = scale === 1 && overlaps(face, image);
  const moire = isNative ? measureMoire(imaging.toGrey(imaging.crop(image, face))) : undefined;
  return {
    ...(surround && { surround }),
    ...(moire && { moire }),
    light: measureLight(small, smallGrey, box),
  };
};

const overlaps = ({ x, y, width, height }: Box, image: Image): boolean =>
  x + width >= 1 && y + height >= 1 && x <= image.width - 1 && y <= image.height - 1;
