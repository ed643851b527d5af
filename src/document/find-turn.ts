import type { Image, Imaging, Quad } from "#imaging/image";
import { sideLengths } from "./locate/geometry.ts";
import { type FindFaces, type FoundFace, mainFace } from "./portrait.ts";
import type { QuarterTurns } from "./reading.ts";
import { straighten } from "./upright.ts";

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

/**
 * Brings a side upright. `known` is the turn that the machine readable zone tells; without it the turn in which the
 * portrait stands upright wins, landscape first, because cards and data pages are wider than high; without a sure face the
 * one in which the text is read best. Without text either an unsure face decides, or the picture stays as it is.
 */
export const findUpright = async (
  imaging: Pick<Imaging, "rectify">,
  findFaces: FindFaces,
  image: Image,
  quad: Quad,
  known: QuarterTurns | undefined,
  findTextTurn: FindTextTurn,
): Promise<UprightSide> => {
  if (known !== undefined) {
    const upright = straighten(imaging, image, quad, known);
    return { image: upright, faces: await findFaces(upright), turns: known, turnKnownBy: "mrz" };
  }
  const asItIs = straighten(imaging, image, quad, 0);
  const byText = async (unsure: UprightSide): Promise<UprightSide> => {
    const turns = await findTextTurn(asItIs);
    if (turns === undefined || turns === unsure.turns) {
      return turns === undefined ? unsure : { ...unsure, turnKnownBy: "text" };
    }
    const upright = straighten(imaging, image, quad, turns);
    return {
      image: upright,
      faces: (await findFaces(upright)).filter(isUpright),
      turns,
      turnKnownBy: "text",
    };
  };
  let best: UprightSide = {
    image: asItIs,
    faces: [],
    turns: 0,
    turnKnownBy: "nothing",
  };
  let bestScore = 0;
  for (const axis of axesToTry(quad)) {
    for (const turns of axis) {
      const upright = straighten(imaging, image, quad, turns);
      const faces = (await findFaces(upright)).filter(isUpright);
      const score = mainFace(faces)?.score ?? 0;
      if (score > bestScore) {
        best = { image: upright, faces, turns, turnKnownBy: "face" };
        bestScore = score;
      }
    }
    if (bestScore >= scoreSure) {
      break;
    }
  }
  return bestScore >= scoreSure ? best : await byText(best);
};

const isUpright = ({ rollDegrees }: FoundFace): boolean =>
  rollDegrees === undefined || Math.abs(rollDegrees) <= rollDegreesMax;

const axesToTry = (quad: Quad): readonly (readonly QuarterTurns[])[] => {
  const [top, right, bottom, left] = sideLengths(quad);
  const landscape = [0, 2] as const;
  const portrait = [1, 3] as const;
  return top + bottom >= right + left ? [landscape, portrait] : [portrait, landscape];
};
