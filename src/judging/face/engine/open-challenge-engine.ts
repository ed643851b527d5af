import type { Image, Imaging } from "#machine/imaging/image";
import type { ChallengeFrames, ChallengeMeasurement } from "../challenge/measurement.ts";
import { defaultChallengePolicy } from "../challenge/policy.ts";
import type { MeasureFace } from "../measurement.ts";
import { makeFollow } from "../motion/follow.ts";
import { makeDetector } from "./detector.ts";
import { makeFindFaces } from "./find-faces.ts";
import { makeMeasureChallenge } from "./measure-challenge.ts";
import { type FaceEngineDeps, makeMeasureFace, openImage } from "./measure-face.ts";
import { makeFitMesh } from "./mesh.ts";
import { makeEmbedDlib } from "./recognition.ts";

/**
 * Limits of a step's frame. A page sends 640 x 480; a telephone that gives no such size may send up to twice
 * that. Thirteen frames are decoded in one task, so each has far narrower limits than an image that comes
 * alone.
 */
export const frameLimits = {
  pixelsMax: 1280 * 1280,
  sideMax: 1280,
  scansMax: 16,
  decodeSecondsMax: 2,
} as const;

type ChallengeEngineDeps = FaceEngineDeps & {
  /** Decodes the frames of steps: its limits are narrower than those of an image that a caller sends. */
  readonly frameImaging: Imaging;
  readonly measureFace?: MeasureFace;
};

/** The measuring of captures in this thread, with its networks. */
export const openChallengeEngine = (
  deps: ChallengeEngineDeps,
): ((capture: ChallengeFrames) => Promise<ChallengeMeasurement>) => {
  const { imaging, frameImaging, networks, detector } = deps;
  const embedDlib = makeEmbedDlib(imaging, networks["dlib-resnet"]);
  const fitMesh = makeFitMesh(imaging, networks.facemesh);
  return makeMeasureChallenge({
    measureFace: deps.measureFace ?? makeMeasureFace(deps),
    openFrame: openWith(frameImaging),
    openBest: openWith(imaging),
    toGrey: imaging.toGrey,
    // A person does not turn upside down between two frames, so that search is left out.
    findFaces: makeFindFaces({ detect: makeDetector(imaging, networks.blazeface, detector), fitMesh }),
    fitMesh,
    describe: ({ image, fill }, mesh) => embedDlib(image, mesh, fill),
    follow: makeFollow(),
    faces: defaultChallengePolicy,
  });
};

/** Opens a searchable image; undefined for other bytes. */
const openWith =
  (decoder: Imaging) =>
  async (bytes: Uint8Array): Promise<Image | undefined> => {
    const opened = await openImage(decoder, bytes);
    return "kind" in opened ? undefined : opened;
  };
