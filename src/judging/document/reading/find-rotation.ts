import type { Image, Imaging, Quad } from "#machine/imaging/image";
import { sideLengths } from "./locate/geometry.ts";
import { type FindFaces, type FoundFace, mainFace } from "./portrait.ts";
import type { QuarterRotations } from "./quarter-rotations.ts";
import { rotateSide, straighten } from "./upright.ts";

/** A side after rotation to upright, with its faces. */
export type UprightSide = {
  readonly image: Image;
  readonly faces: readonly FoundFace[];
  readonly rotations: QuarterRotations;
  readonly rotationKnownBy: "mrz" | "face" | "text" | "nothing";
};

/** The rotation that an image's text shows; undefined when there is too little text. */
export type FindTextRotation = (image: Image) => Promise<QuarterRotations | undefined>;

/** A face that leans more than this belongs to another rotation of the image. */
const rollDegreesMax = 45;
/**
 * A face with this score ends the search. Both directions of an axis are always tried first: the face
 * networks also find a face in an upside-down portrait, with a lower score (0.65 to 0.79 against 0.82 to
 * 0.94, 8 of 8).
 */
const scoreReliable = 0.8;

/** The side in one of its four rotations. */
type View = Omit<UprightSide, "rotationKnownBy">;

/**
 * Rotates a side upright. `known` is the rotation that the MRZ shows. Without it, the rotation with an
 * upright portrait wins, landscape first, because cards and data pages are wider than high. Without a
 * reliable face, the text decides. Without text, an unreliable face decides, or the image stays as it is.
 */
export const findUpright = async (
  imaging: Pick<Imaging, "rectify" | "rotate">,
  findFaces: FindFaces,
  image: Image,
  quad: Quad,
  known: QuarterRotations | undefined,
  findTextRotation: FindTextRotation,
): Promise<UprightSide> => {
  const asItIs = straighten(imaging, image, quad);
  const rotatedBy = async (rotations: QuarterRotations): Promise<View> => {
    const upright = rotateSide(imaging, asItIs, rotations);
    return { image: upright, faces: await findFaces(upright), rotations };
  };
  if (known !== undefined) {
    return { ...(await rotatedBy(known)), rotationKnownBy: "mrz" };
  }
  const views: View[] = [];
  for (const axis of axesToTry(quad)) {
    for (const rotations of axis) {
      const { faces, ...view } = await rotatedBy(rotations);
      views.push({ ...view, faces: faces.filter(isUpright) });
    }
    const best = bestOf(views);
    if (scoreOf(best) >= scoreReliable) {
      return { ...best, rotationKnownBy: "face" };
    }
  }
  return await byText(views, findTextRotation);
};

/** Decides between the four rotations when none shows a reliable face. */
const byText = async (views: readonly View[], findTextRotation: FindTextRotation): Promise<UprightSide> => {
  const asItIs = views.find(({ rotations }) => rotations === 0)!;
  const textRotation = await findTextRotation(asItIs.image);
  const read = views.find(({ rotations }) => rotations === textRotation);
  if (read !== undefined) {
    return { ...read, rotationKnownBy: "text" };
  }
  const best = bestOf(views);
  return scoreOf(best) > 0 ? { ...best, rotationKnownBy: "face" } : { ...asItIs, rotationKnownBy: "nothing" };
};

const bestOf = (views: readonly View[]): View =>
  views.reduce((one, other) => (scoreOf(other) > scoreOf(one) ? other : one));

const scoreOf = ({ faces }: View): number => mainFace(faces)?.score ?? 0;

const isUpright = ({ rollDegrees }: FoundFace): boolean =>
  rollDegrees === undefined || Math.abs(rollDegrees) <= rollDegreesMax;

const axesToTry = (quad: Quad): readonly (readonly QuarterRotations[])[] => {
  const [top, right, bottom, left] = sideLengths(quad);
  const landscape = [0, 2] as const;
  const portrait = [1, 3] as const;
  return top + bottom >= right + left ? [landscape, portrait] : [portrait, landscape];
};
