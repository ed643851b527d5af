import type { Box, Image, Imaging, Point, Quad } from "#machine/imaging/image";
import { distance, pointIn } from "./locate/geometry.ts";
import type { PortraitCrop } from "./reading.ts";

/**
 * A face on an image. `score` must be higher for an upright face than for the same face upside down; the
 * detector's score times the mesh's presence meets this. `rollDegrees`: how far the face leans, if the finder
 * reports it.
 */
export type FoundFace = { readonly box: Box; readonly score: number; readonly rollDegrees?: number };

/** Finds the faces of an upright image; boxes in its pixels, in any order. */
export type FindFaces = (image: Image) => Promise<readonly FoundFace[]>;

/**
 * How alike two faces of an upright image are: the cosine of their descriptors, 1 for the same face.
 * Undefined where one of them is not found again. Made by `makeLikeness` (judging/face).
 */
export type MeasureLikeness = (image: Image, one: Box, other: Box) => Promise<number | undefined>;

/** Margin around the face box, as shares of its width and height: forehead, hair and neck of a portrait. */
const marginAcross = 0.45;
const marginAbove = 0.6;
const marginBelow = 0.45;
const jpegQuality = 92;

/**
 * Least score of a portrait by the side. Codes and patterns on drawn backs score up to 0.38 upright and 0.65
 * in other rotations; of 147 portraits of documents none scores below 0.74 (docs/measurements/documents.md,
 * Portraits). Fronts keep the lower one: glare and shadow lower the score of a real portrait.
 */
export const portraitScoreMin = { front: 0.4, back: 0.7 } as const;

/**
 * The main face is the largest one; smaller faces are ghost images. An unknown side is treated as a front.
 */
export const mainFace = (
  faces: readonly FoundFace[],
  on: keyof typeof portraitScoreMin = "front",
): FoundFace | undefined =>
  faces
    .filter(({ score }) => score >= portraitScoreMin[on])
    .reduce<FoundFace | undefined>(
      (largest, face) => (largest === undefined || areaOf(face) > areaOf(largest) ? face : largest),
      undefined,
    );

const areaOf = ({ box }: FoundFace): number => box.width * box.height;

/**
 * Minimum width as a share of the largest face's width, and minimum distance in those widths. Ghost images
 * measure .24 to .51 (20 of 188 images of documents have one), a face in a newspaper beside the card .72:
 * docs/measurements/documents.md, Card corners.
 */
export const portraitShareMin = 0.75;
const apartMin = 2;
/** A face with at least this score is surely a face. */
export const reliableScore = 0.8;

/**
 * Counts the faces that are as large as the largest and apart from it: each is another document's portrait.
 */
export const countOtherPortraits = (faces: readonly FoundFace[]): number => {
  const main = mainFace(faces);
  return main === undefined
    ? 0
    : faces.filter(
        ({ box, score }) =>
          score >= reliableScore &&
          box.width >= portraitShareMin * main.box.width &&
          distance(middleOf(box), middleOf(main.box)) >= apartMin * main.box.width,
      ).length;
};

/** The middle of a face. */
export const middleOf = ({ x, y, width, height }: Box): Point => [x + width / 2, y + height / 2];

const within = (max: number, place: number): number => Math.min(max, Math.max(0, place));

/**
 * Crops a face with its margin out of the upright side. A face beyond the border leaves the pixel next to it.
 * `corners`: of the side in the file's image, the first one at the side's top left.
 */
export const cutPortrait = async (
  imaging: Pick<Imaging, "crop" | "encodeJpeg">,
  side: Image,
  corners: Quad,
  face: FoundFace,
): Promise<PortraitCrop> => {
  const { box } = face;
  const left = within(side.width - 1, Math.floor(box.x - box.width * marginAcross));
  const top = within(side.height - 1, Math.floor(box.y - box.height * marginAbove));
  const right = Math.min(side.width, Math.ceil(box.x + box.width * (1 + marginAcross)));
  const bottom = Math.min(side.height, Math.ceil(box.y + box.height * (1 + marginBelow)));
  const [width, height] = [Math.max(1, right - left), Math.max(1, bottom - top)];
  const cut = imaging.crop(side, { x: left, y: top, width, height });
  const jpeg = Uint8Array.from(await imaging.encodeJpeg(cut, jpegQuality));
  const at = (x: number, y: number): Point => pointIn(corners, [x / side.width, y / side.height]);
  const area = [
    at(left, top),
    at(left + width, top),
    at(left + width, top + height),
    at(left, top + height),
  ] as const;
  return { jpeg, score: face.score, face: box, area };
};
