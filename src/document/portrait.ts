import type { Box, Image, Imaging, Point } from "#imaging/image";
import { distance } from "./locate/geometry.ts";
import type { PortraitSighting } from "./reading.ts";

/**
 * A face on a picture. `score` must rank an upright face above the same one on its head: the detector's score times
 * the mesh's presence does. `rollDegrees`: how far it leans, where the finder knows.
 */
export type FoundFace = { readonly box: Box; readonly score: number; readonly rollDegrees?: number };

/** Finds the faces of an upright picture; boxes in its pixels, surest first or in any order. */
export type FindFaces = (image: Image) => Promise<readonly FoundFace[]>;

/** Room around the face box, as shares of its width and height: forehead, hair and neck of a portrait. */
const roomAcross = 0.45;
const roomAbove = 0.6;
const roomBelow = 0.45;
const jpegQuality = 92;

/** The largest face is the portrait; smaller ones are ghost images. */
export const mainFace = (faces: readonly FoundFace[]): FoundFace | undefined =>
  faces.reduce<FoundFace | undefined>(
    (largest, face) => (largest === undefined || areaOf(face) > areaOf(largest) ? face : largest),
    undefined,
  );

const areaOf = ({ box }: FoundFace): number => box.width * box.height;

/**
 * Of the largest face's width, and widths away from it. Ghost images measure .24 to .51 (20 of 188 pictures of documents have one), a
 * face in a newspaper beside the card .72: docs/measurements.md, Card corners.
 */
const portraitShareMin = 0.75;
const apartMin = 2;
const sureScore = 0.8;

/** Faces as large as the largest, apart from it: each is another document's portrait. */
export const countOtherPortraits = (faces: readonly FoundFace[]): number => {
  const main = mainFace(faces);
  return main === undefined
    ? 0
    : faces.filter(
        ({ box, score }) =>
          score >= sureScore &&
          box.width >= portraitShareMin * main.box.width &&
          distance(middleOf(box), middleOf(main.box)) >= apartMin * main.box.width,
      ).length;
};

const middleOf = ({ x, y, width, height }: Box): Point => [x + width / 2, y + height / 2];

/** Cuts a face with its surroundings out of the upright side. */
export const cutPortrait = async (
  imaging: Pick<Imaging, "crop" | "encodeJpeg">,
  side: Image,
  face: FoundFace,
): Promise<PortraitSighting> => {
  const { box } = face;
  const left = Math.max(0, Math.floor(box.x - box.width * roomAcross));
  const top = Math.max(0, Math.floor(box.y - box.height * roomAbove));
  const right = Math.min(side.width, Math.ceil(box.x + box.width * (1 + roomAcross)));
  const bottom = Math.min(side.height, Math.ceil(box.y + box.height * (1 + roomBelow)));
  const cut = imaging.crop(side, {
    x: left,
    y: top,
    width: Math.max(1, right - left),
    height: Math.max(1, bottom - top),
  });
  const jpeg = Uint8Array.from(await imaging.encodeJpeg(cut, jpegQuality));
  return { jpeg, score: face.score, face: box };
};
