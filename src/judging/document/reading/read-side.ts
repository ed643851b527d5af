import { createHash } from "node:crypto";
import type { OpenedImage, Point, Quad } from "#machine/imaging/image";
import { defaultSweepBudget, makeReadBarcodes } from "./barcode/read-barcodes.ts";
import type { DecodeBarcodes } from "./barcode/zxing.ts";
import { type Cut, countFacesBeside, facesInside, pageOf } from "./faces-beside.ts";
import { measureQuality } from "./image-quality.ts";
import { distance, rotateCorners, scaleCorners, sideLengths, signedArea } from "./locate/geometry.ts";
import { cardScore, type LocatedCard } from "./locate/located-card.ts";
import { measureGhost } from "./measure-ghost.ts";
import { isDataPageFormat } from "./mrz/formats.ts";
import { marginsAround } from "./mrz/margins.ts";
import type { MrzReading } from "./mrz/reading.ts";
import type { TextLine } from "./ocr/text-line.ts";
import { countOtherPortraits, cutPortrait, type FoundFace, mainFace, portraitScoreMin } from "./portrait.ts";
import { type FoundSide, isReliable, readSideText } from "./read-side-text.ts";
import type { CardSummary, MrzSummary, SideReading } from "./reading.ts";
import { measuredSideMin, shrinkTo } from "./shrink.ts";
import type { SideDeps, SideTask } from "./side-task.ts";
import { hasComparableInk } from "./traces/ink.ts";
import { type AttackMeasurement, measureAttack } from "./traces/measurement.ts";
import { frameQuad, rotateSide, straighten } from "./upright.ts";

/** Longer side in pixels of the image that is read. */
export const readingSide = 2000;
/**
 * Longer side for barcodes (2 px per module of 0.17 mm need 1,010 px of card), fine patterns and quality: an
 * image of 12 megapixels keeps its own resolution.
 */
const largeSide = 4096;
const qualitySide = 1000;

const uprightQuality = 92;

/**
 * Reads one image: quality, card, rotation, MRZ, barcodes, printed lines, portrait. It only measures and
 * judges nothing; an item that was not found is absent. Fails like opening an image: image_unreadable |
 * image_unsupported | image_too_large. The result is structured-cloneable.
 */
export type ReadSide = (bytes: Uint8Array, task: SideTask) => Promise<SideReading>;

export type ReadSideDeps = Omit<SideDeps, "readBarcodes"> & { readonly decodeBarcodes: DecodeBarcodes };

export const makeReadSide = ({ decodeBarcodes, ...deps }: ReadSideDeps): ReadSide => {
  const sideDeps = {
    ...deps,
    readBarcodes: makeReadBarcodes(deps.imaging, decodeBarcodes, defaultSweepBudget),
  };
  return (bytes, task) => readSide(sideDeps, bytes, task);
};

const readSide = async (deps: SideDeps, bytes: Uint8Array, task: SideTask): Promise<SideReading> => {
  const { imaging } = deps;
  const large = task.attacks ? await imaging.open(bytes, { longSideMax: largeSide }) : undefined;
  const opened =
    large === undefined
      ? await imaging.open(bytes, { longSideMax: readingSide })
      : await shrinkOpened(imaging, large, readingSide);
  const card = await deps.findQuad(opened);
  const { mrz, quad, side, lines } = await readSideText(deps, opened, card, task);
  const openLarge = async () =>
    large ?? (opened.scale < 1 ? await imaging.open(bytes, { longSideMax: largeSide }) : opened);
  const barcodes =
    task.barcodes && !isDataPage(mrz) ? await readBarcodesOf(deps, opened, { card, lines }, openLarge) : [];
  // An MRZ of three lines and a barcode stand on backs (ICAO Doc 9303-5, 4.1 and 4.2).
  const on = mrz?.format === "TD1" || barcodes.length > 0 ? "back" : "front";
  const outline = quad ?? pageOf(mrz);
  const cut = cutOf(opened, { quad, side });
  const sentCorners = scaleCorners(cut.corners, 1 / opened.scale, 1 / opened.scale);
  const faces = facesInside(side.faces, cut, outline);
  const face = mainFace(faces, on);
  const otherPortraits = await countOthers(deps, opened, { quad, side }, outline, face);
  const traces = large && traceAttack(imaging, opened, large, { quad, side, card, face }, mrz, lines);
  const ghost = traces && face && (await measureGhost(deps.measureLikeness, side.image, faces, face));
  const attack = traces && { ...traces, ...(ghost && { ghost }) };
  const marks = task.attacks ? await deps.text.readMarks(side.image) : undefined;
  const small = await shrinkTo(imaging, side.image, qualitySide, measuredSideMin);
  return {
    file: opened.file,
    sha256: createHash("sha256").update(bytes).digest("hex"),
    quality: measureQuality(opened.file, small, imaging.toGrey(small)),
    ...(quad === undefined || card === undefined ? {} : { card: cardSummaryOf(card, opened) }),
    rotations: side.rotations,
    rotationKnownBy: side.rotationKnownBy,
    ...(mrz === undefined ? {} : { mrz: mrzSummaryOf(mrz, opened) }),
    barcodes,
    lines,
    ...(marks === undefined ? {} : { marks }),
    faces: side.faces.filter(({ score }) => score >= portraitScoreMin[on]).length,
    // Counted even where the outline is not used: if the image shows two documents, the outline may be that
    // of the other document.
    ...(card?.others === undefined ? {} : { otherCards: card.others }),
    ...(otherPortraits === 0 ? {} : { otherPortraits }),
    ...(face === undefined ? {} : { portrait: await cutPortrait(imaging, side.image, sentCorners, face) }),
    ...(task.upright
      ? { upright: Uint8Array.from(await imaging.encodeJpeg(side.image, uprightQuality)) }
      : {}),
    ...(attack === undefined ? {} : { attack }),
  };
};

/** The result of opening the image at that size, for less than half the time of a decode. */
const shrinkOpened = async (
  imaging: SideDeps["imaging"],
  opened: OpenedImage,
  longSide: number,
): Promise<OpenedImage> => {
  const { width, height, data } = await shrinkTo(imaging, opened, longSide);
  return { width, height, data, file: opened.file, scale: width / opened.file.width };
};

/** A card with this share of the image leaves no space for a second card. */
const areaAloneMin = 0.5;

/** The upright side with its corners in the opened image. */
const cutOf = (opened: OpenedImage, { quad, side }: FoundSide): Cut => ({
  image: side.image,
  corners: rotateCorners(quad ?? frameQuad(opened), side.rotations),
});

/**
 * Counts the portraits beside the document's own: those as large as the largest face and apart from it, and
 * those outside of its outline. Where a located card fills the image, the faces on the card alone are apart.
 */
const countOthers = async (
  { imaging, findFaces }: SideDeps,
  opened: OpenedImage,
  { quad, side }: FoundSide,
  outline: Quad | undefined,
  face: FoundFace | undefined,
): Promise<number> => {
  if (side.faces.length === 0) return 0;
  const frame = cutOf(opened, { quad: undefined, side });
  const upright =
    quad === undefined
      ? side.image
      : rotateSide(imaging, straighten(imaging, opened, frameQuad(opened)), side.rotations);
  const faces = quad === undefined ? side.faces : await findFaces(upright);
  const area = quad === undefined ? 1 : Math.abs(signedArea(quad)) / (opened.width * opened.height);
  const apart = countOtherPortraits(area >= areaAloneMin ? side.faces : faces);
  if (face === undefined || outline === undefined) return apart;
  const own = [face, cutOf(opened, { quad, side })] as const;
  return Math.max(apart, countFacesBeside(faces, { ...frame, image: upright }, outline, own));
};

/** Data pages carry no two-dimensional barcode (9303-4 and 9303-7). */
const isDataPage = (mrz: MrzReading | undefined): boolean =>
  mrz?.accepted === true && isDataPageFormat(mrz.format);

/** Longer side of a card in pixels at which a module of 0.17 mm has 2.8 px: no barcode needs more. */
const barcodeSide = 1400;

/**
 * Reads the barcodes of a side. Small modules may need the file's own pixels, which the other readers do not
 * need. Without a card the image is searched at its current size: another decode would cost more than it
 * finds.
 */
const readBarcodesOf = async (
  { readBarcodes }: SideDeps,
  opened: OpenedImage,
  { card, lines }: { readonly card: LocatedCard | undefined; readonly lines: readonly TextLine[] },
  openLarge: () => Promise<OpenedImage>,
) => {
  if (card === undefined || card.score < cardScore.usable) {
    return await readBarcodes(opened, { isPrinted: lines.some(isReliable) });
  }
  const isLarge = Math.max(...sideLengths(card.quad)) >= barcodeSide;
  const image = isLarge ? opened : await openLarge();
  return await readBarcodes(image, { quad: enlargeCorners(card.quad, opened, image) });
};

const enlargeCorners = (quad: Quad, from: OpenedImage, to: OpenedImage): Quad =>
  scaleCorners(quad, to.width / from.width, to.height / from.height);

const traceAttack = (
  imaging: SideDeps["imaging"],
  opened: OpenedImage,
  native: OpenedImage,
  {
    quad,
    side,
    card,
    face,
  }: FoundSide & {
    readonly card: LocatedCard | undefined;
    readonly face: FoundFace | undefined;
  },
  mrz: MrzReading | undefined,
  lines: readonly TextLine[],
): AttackMeasurement => {
  const portrait = face?.box;
  const area = rotateCorners(quad ?? frameQuad(opened), side.rotations);
  return measureAttack(imaging, {
    native,
    isWhole: native.scale === 1,
    ...(native.file.jpegSteps && { jpegSteps: native.file.jpegSteps }),
    area: enlargeCorners(area, opened, native),
    isLocated: quad !== undefined,
    ...(card !== undefined && card.score >= cardScore.probable
      ? { outline: enlargeCorners(card.quad, opened, native) }
      : {}),
    upright: side.image,
    ...(portrait && { portrait }),
    mrzShare: mrz === undefined ? 0 : distance(mrz.quad[0], mrz.quad[1]) / distance(area[0], area[1]),
    lines: lines.filter((line) => isReliable(line) && hasComparableInk(line.text)),
  });
};

const cardSummaryOf = ({ quad, score }: LocatedCard, image: OpenedImage): CardSummary => {
  const [top, right, bottom, left] = sideLengths(quad);
  const across = (top + bottom) / 2 / image.scale;
  const down = (right + left) / 2 / image.scale;
  const cornerOf = ([x, y]: Point): Point => [Math.round(x / image.scale), Math.round(y / image.scale)];
  const outsidePx = Math.max(
    ...quad.map(([x, y]) => Math.max(-x, -y, x - (image.width - 1), y - (image.height - 1), 0)),
  );
  const marginPx = Math.min(
    ...quad.map(([x, y]) => Math.min(x, y, image.width - 1 - x, image.height - 1 - y) / image.scale),
  );
  return {
    score,
    corners: [cornerOf(quad[0]), cornerOf(quad[1]), cornerOf(quad[2]), cornerOf(quad[3])],
    marginShare: marginPx / Math.max(across, down),
    outsideShare: outsidePx / Math.min(image.width, image.height),
    longSidePx: Math.round(Math.max(across, down)),
    shortSidePx: Math.round(Math.min(across, down)),
  };
};

const mrzSummaryOf = (mrz: MrzReading, opened: OpenedImage): MrzSummary => {
  const { format, lines, accepted, clear, weakestMargin } = mrz;
  const margin = marginsAround(mrz, opened);
  return {
    format,
    lines,
    accepted,
    clear,
    weakestMargin,
    ...(margin === undefined ? {} : { margin: margin }),
  };
};
