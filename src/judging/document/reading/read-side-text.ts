import type { OpenedImage, Point, Quad } from "#machine/imaging/image";
import { findUpright, type UprightSide } from "./find-rotation.ts";
import { isInside, sideLengths } from "./locate/geometry.ts";
import { cardScore, isTrusted, type LocatedCard } from "./locate/located-card.ts";
import type { MrzReading } from "./mrz/reading.ts";
import type { TextLine } from "./ocr/text-line.ts";
import { mainFace } from "./portrait.ts";
import type { SideDeps, SideTask } from "./side-task.ts";
import { frameQuad, rotationsAlong } from "./upright.ts";

type PrintedTextDeps = Pick<SideDeps, "imaging" | "readMrz" | "findFaces" | "text">;

/** The text of a side (MRZ and printed lines), and the side as it was read. */
export type SideText = FoundSide & {
  readonly mrz: MrzReading | undefined;
  readonly lines: readonly TextLine[];
};

/**
 * Reads the text of a side. An expected MRZ is first searched near. The far search runs only when the side
 * was not understood without it: it costs more than all other reading, and most sides have no MRZ.
 */
export const readSideText = async (
  deps: PrintedTextDeps,
  opened: OpenedImage,
  card: LocatedCard | undefined,
  { mrz: search }: Pick<SideTask, "mrz">,
): Promise<SideText> => {
  const likelyRotated = standsOnShortSide(card);
  const readWith = async (mrz: MrzReading | undefined, known?: SideText): Promise<SideText> => {
    const upright = await bringUpright(deps, opened, card, mrz);
    const isKnown = known !== undefined && isSameImage(upright, known);
    return { ...upright, mrz, lines: isKnown ? known.lines : await deps.text.readLines(upright.side.image) };
  };
  const isExpected = search === "expected";
  const first = await readWith(
    isExpected ? await deps.readMrz(opened, { likelyRotated, distance: "near" }) : undefined,
  );
  if (search === "none" || first.mrz !== undefined || !(await mayHaveMrz(deps, first))) {
    return first;
  }
  const mrz = await deps.readMrz(opened, { likelyRotated, ...(isExpected && { distance: "far" }) });
  return mrz === undefined ? first : await readWith(mrz, first);
};

/** The same cut of one image, in the same rotation. */
const isSameImage = (one: FoundSide, other: FoundSide): boolean =>
  one.quad === other.quad && one.side.rotations === other.side.rotations;

/**
 * Whether an MRZ may still be there. MRZ letters are larger than the document's other text, so where that
 * text was read, the MRZ would have been read. It may still be there when the text has fillers. A frame
 * without a trace of text has none.
 */
const mayHaveMrz = async (
  { text }: PrintedTextDeps,
  { quad, side, lines }: FoundSide & Pick<SideText, "lines">,
) => {
  const reliable = lines.filter(isReliable).length;
  const isOnCard = quad !== undefined && (side.faces.length > 0 || reliable >= linesOfCard);
  if (reliable >= linesOfFrame || isOnCard) {
    return lines.some(({ text: read }) => /<.*</.test(read));
  }
  return quad !== undefined || (await text.showsText(side.image));
};

/** Whether the confidence is high enough for real text. */
export const isReliable = ({ confidence }: TextLine): boolean => confidence >= 0.8;

/** How many reliable lines show that a located card, or the document in the frame, was read. */
const linesOfCard = 3;
const linesOfFrame = 6;

const standsOnShortSide = (card: LocatedCard | undefined): boolean => {
  if (!isTrusted(card)) {
    return false;
  }
  const [top, right, bottom, left] = sideLengths(card.quad);
  return right + left > top + bottom;
};

export type FoundSide = { readonly quad: Quad | undefined; readonly side: UprightSide };

const bringUpright = async (
  { imaging, findFaces, text }: PrintedTextDeps,
  image: OpenedImage,
  card: LocatedCard | undefined,
  mrz: MrzReading | undefined,
): Promise<FoundSide> => {
  const upright = (quad: Quad): Promise<UprightSide> => {
    const known = mrz === undefined ? undefined : rotationsAlong(quad, mrz.quad[0], mrz.quad[1]);
    return findUpright(imaging, findFaces, image, quad, known, text.findRotation);
  };
  if (
    card !== undefined &&
    card.score >= cardScore.usable &&
    (mrz === undefined || holdsMrz(card.quad, mrz))
  ) {
    const side = await upright(card.quad);
    const isMore = isTrusted(card) || mrz !== undefined || side.faces.length > 0;
    if (isMore && !isPortraitAlone(side)) {
      return { quad: card.quad, side };
    }
  }
  return { quad: undefined, side: await upright(frameQuad(image)) };
};

/**
 * Largest width of a face as a share of a card's longer side. A portrait of 45 × 35 mm (ICAO Doc 9303-3, 3.9)
 * on an ID-1 card holds a face of at most 26 mm of 85.6. If a face is wider than that, the quadrilateral is
 * the portrait's frame, not the card's.
 */
const faceShareMax = 0.4;

const isPortraitAlone = ({ image, faces }: UprightSide): boolean =>
  (mainFace(faces)?.box.width ?? 0) > faceShareMax * Math.max(image.width, image.height);

const holdsMrz = (quad: Quad, mrz: MrzReading): boolean => {
  const middle: Point = [
    mrz.quad.reduce((sum, [x]) => sum + x, 0) / 4,
    mrz.quad.reduce((sum, [, y]) => sum + y, 0) / 4,
  ];
  return isInside(quad, middle);
};
