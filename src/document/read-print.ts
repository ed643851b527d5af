import type { OpenedImage, Point, Quad } from "#imaging/image";
import { findUpright, type UprightSide } from "./find-turn.ts";
import { cardScore, isTrusted, type LocatedCard } from "./locate/find-quad.ts";
import { isInside, sideLengths } from "./locate/geometry.ts";
import type { MrzReading } from "./mrz/reading.ts";
import { mainFace } from "./portrait.ts";
import type { SideEyes, SideTask } from "./read-side.ts";
import type { TextLine } from "./text/text-line.ts";
import { frameQuad, turnsAlong } from "./upright.ts";

type PrintEyes = Pick<SideEyes, "imaging" | "readMrz" | "findFaces" | "text">;

/** What is written on a side, and the side as it was read. */
export type Print = Brought & { readonly zone: MrzReading | undefined; readonly lines: readonly TextLine[] };

/**
 * An expected zone is first looked for nearby, and far away only where the side was not understood without it: that costs more
 * than all other reading, and most sides have none.
 */
export const readPrint = async (
  eyes: PrintEyes,
  opened: OpenedImage,
  card: LocatedCard | undefined,
  { zone: search }: Pick<SideTask, "zone">,
): Promise<Print> => {
  const likelyTurned = standsOnShortSide(card);
  const readWith = async (zone: MrzReading | undefined): Promise<Print> => {
    const brought = await bringUpright(eyes, opened, card, zone);
    return { ...brought, zone, lines: await eyes.text.readLines(brought.side.image) };
  };
  const isExpected = search === "expected";
  const first = await readWith(
    isExpected ? await eyes.readMrz(opened, { likelyTurned, distance: "near" }) : undefined,
  );
  if (search === "none" || first.zone !== undefined || !(await mayHaveZone(eyes, first))) {
    return first;
  }
  const zone = await eyes.readMrz(opened, { likelyTurned, ...(isExpected && { distance: "far" }) });
  return zone === undefined ? first : await readWith(zone);
};

/**
 * The letters of a zone are larger than the print of its document: where that was read, the zone would have been. It may still
 * be there where the print has fillers. On a frame without a trace of text there is none.
 */
const mayHaveZone = async ({ text }: PrintEyes, { quad, side, lines }: Brought & Pick<Print, "lines">) => {
  const sure = lines.filter(isSure).length;
  const isOnCard = quad !== undefined && (side.faces.length > 0 || sure >= linesOfCard);
  if (sure >= linesOfFrame || isOnCard) {
    return lines.some(({ text: read }) => /<.*</.test(read));
  }
  return quad !== undefined || (await text.showsText(side.image));
};

/** Read so surely that it is print. */
export const isSure = ({ confidence }: TextLine): boolean => confidence >= 0.8;

/** How many sure lines show that a located card, or the frame's document, was read. */
const linesOfCard = 3;
const linesOfFrame = 6;

const standsOnShortSide = (card: LocatedCard | undefined): boolean => {
  if (!isTrusted(card)) {
    return false;
  }
  const [top, right, bottom, left] = sideLengths(card.quad);
  return right + left > top + bottom;
};

export type Brought = { readonly quad: Quad | undefined; readonly side: UprightSide };

const bringUpright = async (
  { imaging, findFaces, text }: PrintEyes,
  image: OpenedImage,
  card: LocatedCard | undefined,
  zone: MrzReading | undefined,
): Promise<Brought> => {
  const upright = (quad: Quad): Promise<UprightSide> => {
    const known = zone === undefined ? undefined : turnsAlong(quad, zone.quad[0], zone.quad[1]);
    return findUpright(imaging, findFaces, image, quad, known, text.findTurn);
  };
  if (
    card !== undefined &&
    card.score >= cardScore.usable &&
    (zone === undefined || holdsZone(card.quad, zone))
  ) {
    const side = await upright(card.quad);
    const isMore = isTrusted(card) || zone !== undefined || side.faces.length > 0;
    if (isMore && !isPortraitAlone(side)) {
      return { quad: card.quad, side };
    }
  }
  return { quad: undefined, side: await upright(frameQuad(image)) };
};

/**
 * Largest width of a face as a share of a card's longer side. A portrait of 45 × 35 mm (ICAO Doc 9303-3, 3.9) on an ID-1 card
 * holds a face of 26 mm of 85.6 at most: what a wider one fills is the portrait's own frame, not the card's.
 */
const faceShareMax = 0.4;

const isPortraitAlone = ({ image, faces }: UprightSide): boolean =>
  (mainFace(faces)?.box.width ?? 0) > faceShareMax * Math.max(image.width, image.height);

const holdsZone = (quad: Quad, zone: MrzReading): boolean => {
  const middle: Point = [
    zone.quad.reduce((sum, [x]) => sum + x, 0) / 4,
    zone.quad.reduce((sum, [, y]) => sum + y, 0) / 4,
  ];
  return isInside(quad, middle);
};
