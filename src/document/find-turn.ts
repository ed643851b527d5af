import type { Image, Imaging, Quad } from "#imaging/image";
import { sideLengths } from "./locate/geometry.ts";
import { type FindFaces, type FoundFace, mainFace } from "./portrait.ts";
import type { QuarterTurns } from "./reading.ts";
import { straighten, turnSide } from "./upright.ts";

/** A side brought upright, with the faces on it. */
export type UprightSide = {
  readonly image: Image;
  readonly faces: readonly FoundFace[];
  readonly turns: QuarterTurns;
  readonly turnKnownBy: "mrz" | "face" | "text" | "nothing";
};

/** The turn that the text of a picture tells; undefined where there is too little. */
export type FindTextTurn = (image: Image) => Promise<QuarterTurns | undefined>;

/** A face that leans more than this stands on another side of the picture. */
const rollDegreesMax = 45;
/**
 * A face as sure as this ends the search. Both directions of an axis are always seen first: the face networks also
 * find a face in a portrait that stands on its head, less sure of it (0.65 to 0.79 against 0.82 to 0.94, 8 of 8).
 */
const scoreSure = 0.8;

/** The side in one of its four turns. */
type View = Omit<UprightSide, "turnKnownBy">;

/**
 * Brings a side upright. `known` is the turn that the machine readable zone tells; without it the turn in which the
 * portrait stands upright wins, landscape first, because cards and data pages are wider than high; without a sure face the
 * one in which the text is read best. Without text either an unsure face decides, or the picture stays as it is.
 */
export const findUpright = async (
  imaging: Pick<Imaging, "rectify" | "turn">,
  findFaces: FindFaces,
  image: Image,
  quad: Quad,
  known: QuarterTurns | undefined,
  findTextTurn: FindTextTurn,
): Promise<UprightSide> => {
  const asItIs = straighten(imaging, image, quad);
  const turnedBy = async (turns: QuarterTurns): Promise<View> => {
    const upright = turnSide(imaging, asItIs, turns);
    return { image: upright, faces: await findFaces(upright), turns };
  };
  if (known !== undefined) {
    return { ...(await turnedBy(known)), turnKnownBy: "mrz" };
  }
  const views: View[] = [];
  for (const axis of axesToTry(quad)) {
    for (const turns of axis) {
      const { faces, ...view } = await turnedBy(turns);
      views.push({ ...view, faces: faces.filter(isUpright) });
    }
    const best = surestOf(views);
    if (scoreOf(best) >= scoreSure) {
      return { ...best, turnKnownBy: "face" };
    }
  }
  return await byText(views, findTextTurn);
};

/** Of all four turns, where none shows a sure face. */
const byText = async (views: readonly View[], findTextTurn: FindTextTurn): Promise<UprightSide> => {
  const asItIs = views.find(({ turns }) => turns === 0)!;
  const told = await findTextTurn(asItIs.image);
  const read = views.find(({ turns }) => turns === told);
  if (read !== undefined) {
    return { ...read, turnKnownBy: "text" };
  }
  const best = surestOf(views);
  return scoreOf(best) > 0 ? { ...best, turnKnownBy: "face" } : { ...asItIs, turnKnownBy: "nothing" };
};

const surestOf = (views: readonly View[]): View =>
  views.reduce((one, other) => (scoreOf(other) > scoreOf(one) ? other : one));

const scoreOf = ({ faces }: View): number => mainFace(faces)?.score ?? 0;

const isUpright = ({ rollDegrees }: FoundFace): boolean =>
  rollDegrees === undefined || Math.abs(rollDegrees) <= rollDegreesMax;

const axesToTry = (quad: Quad): readonly (readonly QuarterTurns[])[] => {
  const [top, right, bottom, left] = sideLengths(quad);
  const landscape = [0, 2] as const;
  const portrait = [1, 3] as const;
  return top + bottom >= right + left ? [landscape, portrait] : [portrait, landscape];
};
