import { createHash } from "node:crypto";
import type { Imaging, OpenedImage, Quad } from "#imaging/image";
import { type AttackMeasurement, measureAttack } from "./attacks/measurement.ts";
import { defaultSweepBudget, makeReadBarcodes, type ReadBarcodes } from "./barcode/read-barcodes.ts";
import type { ReadSymbols } from "./barcode/zxing.ts";
import type { UprightSide } from "./find-turn.ts";
import { cardScore, type FindQuad, type LocatedCard } from "./locate/find-quad.ts";
import { distance, scaleCorners, sideLengths, signedArea, turnCorners } from "./locate/geometry.ts";
import { isDataPageFormat } from "./mrz/formats.ts";
import type { ReadMrz } from "./mrz/read-mrz.ts";
import type { MrzReading } from "./mrz/reading.ts";
import { roomAround } from "./mrz/room-around.ts";
import { measureQuality } from "./picture-quality.ts";
import { countOtherPortraits, cutPortrait, type FindFaces, type FoundFace, mainFace } from "./portrait.ts";
import { type Brought, isSure, readPrint } from "./read-print.ts";
import type { CardSighting, MrzSighting, SideReading } from "./reading.ts";
import { shrinkTo } from "./shrink.ts";
import type { TextReader } from "./text/read-text.ts";
import type { TextLine } from "./text/text-line.ts";
import { frameQuad, straighten, turnSide } from "./upright.ts";

/** What reading one side takes. */
export type SideEyes = {
  readonly imaging: Pick<
    Imaging,
    "open" | "resize" | "rectify" | "rectifyGrey" | "crop" | "turn" | "toGrey" | "encodeJpeg"
  >;
  readonly findQuad: FindQuad;
  readonly readMrz: ReadMrz;
  readonly readBarcodes: ReadBarcodes;
  readonly findFaces: FindFaces;
  readonly text: TextReader;
};

/**
 * Whether a zone is looked for: on the side that should carry it, as a large one before anything is read; on the other only where
 * that was not understood by its print, and on none where only the print is wanted. A picture without one costs the reader most.
 */
export type ZoneSearch = "expected" | "unless understood" | "none";

/** What to look for on a side. */
export type SideTask = {
  readonly zone: ZoneSearch;
  readonly barcodes: boolean;
  /** Whether the traces of attacks are measured too. */
  readonly attacks: boolean;
  /** Whether the upright side is kept. */
  readonly upright: boolean;
};

/** The printed lines alone. */
export const printAlone: SideTask = {
  zone: "none",
  barcodes: false,
  attacks: false,
  upright: false,
};

/** Longer side in pixels of the picture that is read. */
export const readingSide = 2000;
/**
 * For barcodes (2 px a module of 0.17 mm need 1,010 px of card) and fine patterns: a picture of 12 megapixels keeps its own
 * resolution. And for quality.
 */
const largeSide = 4096;
const qualitySide = 1000;

const uprightQuality = 92;

/**
 * Reads one picture: quality, card, turn, zone, barcodes, printed lines, portrait. Pure measuring: nothing is judged, and what
 * was not found is absent. Fails as opening a picture does: image_unreadable | image_unsupported | image_too_large. The
 * result is structured-cloneable.
 */
export type ReadSide = (bytes: Uint8Array, task: SideTask) => Promise<SideReading>;

export type ReadSideDeps = Omit<SideEyes, "readBarcodes"> & { readonly readSymbols: ReadSymbols };

export const makeReadSide = ({ readSymbols, ...deps }: ReadSideDeps): ReadSide => {
  const eyes = { ...deps, readBarcodes: makeReadBarcodes(deps.imaging, readSymbols, defaultSweepBudget) };
  return (bytes, task) => readSide(eyes, bytes, task);
};

const readSide = async (eyes: SideEyes, bytes: Uint8Array, task: SideTask): Promise<SideReading> => {
  const { imaging } = eyes;
  const large = task.attacks ? await imaging.open(bytes, { longSideMax: largeSide }) : undefined;
  const opened =
    large === undefined
      ? await imaging.open(bytes, { longSideMax: readingSide })
      : await shrinkOpened(imaging, large, readingSide);
  const card = await eyes.findQuad(opened);
  const { zone, quad, side, lines } = await readPrint(eyes, opened, card, task);
  const openLarge = async () =>
    large ?? (opened.scale < 1 ? await imaging.open(bytes, { longSideMax: largeSide }) : opened);
  const barcodes =
    task.barcodes && !isDataPage(zone) ? await readBarcodesOf(eyes, opened, { card, lines }, openLarge) : [];
  const face = mainFace(side.faces);
  const otherPortraits = countOtherPortraits(await facesOfPicture(eyes, opened, { quad, side }));
  const attack = large && traceAttack(imaging, opened, large, { quad, side, card }, zone, lines);
  const small = await shrink(imaging, side);
  return {
    file: opened.file,
    sha256: createHash("sha256").update(bytes).digest("hex"),
    quality: measureQuality(opened.file, small, imaging.toGrey(small)),
    ...(quad === undefined || card === undefined ? {} : { card: sightingOf(card, opened) }),
    turns: side.turns,
    turnKnownBy: side.turnKnownBy,
    ...(zone === undefined ? {} : { mrz: zoneOf(zone, opened) }),
    barcodes,
    lines,
    faces: side.faces.length,
    ...(otherPortraits === 0 ? {} : { otherPortraits }),
    ...(face === undefined ? {} : { portrait: await cutPortrait(imaging, side.image, face) }),
    ...(task.upright
      ? { upright: Uint8Array.from(await imaging.encodeJpeg(side.image, uprightQuality)) }
      : {}),
    ...(attack === undefined ? {} : { attack }),
  };
};

/** What opening it at that size would give, for less than half of a decode. */
const shrinkOpened = async (
  imaging: SideEyes["imaging"],
  opened: OpenedImage,
  longSide: number,
): Promise<OpenedImage> => {
  const { width, height, data } = await shrinkTo(imaging, opened, longSide);
  return { width, height, data, file: opened.file, scale: width / opened.file.width };
};

/** From this share of the picture on a card leaves no room for a second one. */
const areaAloneMin = 0.5;

/** The faces of the whole picture: where a located card fills it, those on the card. */
const facesOfPicture = async (
  { imaging, findFaces }: SideEyes,
  opened: OpenedImage,
  { quad, side }: Brought,
): Promise<readonly FoundFace[]> => {
  const area = quad === undefined ? 1 : Math.abs(signedArea(quad)) / (opened.width * opened.height);
  if (side.faces.length === 0 || quad === undefined || area >= areaAloneMin) {
    return side.faces;
  }
  return await findFaces(turnSide(imaging, straighten(imaging, opened, frameQuad(opened)), side.turns));
};

/** Data pages carry no two-dimensional symbol (9303-4 and 9303-7). */
const isDataPage = (zone: MrzReading | undefined): boolean =>
  zone?.accepted === true && isDataPageFormat(zone.format);

/** Longer side of a card in pixels from which a module of 0.17 mm has 2.8: no symbol needs more. */
const symbolSide = 1400;

/**
 * Small modules may need the file's own pixels, which the other readers can do without. Without a card the picture is
 * searched at the size that it has: decoding it once more would cost more than it finds.
 */
const readBarcodesOf = async (
  { readBarcodes }: SideEyes,
  opened: OpenedImage,
  { card, lines }: { readonly card: LocatedCard | undefined; readonly lines: readonly TextLine[] },
  openLarge: () => Promise<OpenedImage>,
) => {
  if (card === undefined || card.score < cardScore.usable) {
    return await readBarcodes(opened, { isPrinted: lines.some(isSure) });
  }
  const isLarge = Math.max(...sideLengths(card.quad)) >= symbolSide;
  const picture = isLarge ? opened : await openLarge();
  return await readBarcodes(picture, { quad: enlargeCorners(card.quad, opened, picture) });
};

const enlargeCorners = (quad: Quad, from: OpenedImage, to: OpenedImage): Quad =>
  scaleCorners(quad, to.width / from.width, to.height / from.height);

/** Lines whose ink can be compared: surely read, and not of the zone, which another print head writes. */
const isValue = (line: TextLine): boolean => isSure(line) && !line.text.includes("<");

const traceAttack = (
  imaging: SideEyes["imaging"],
  opened: OpenedImage,
  native: OpenedImage,
  { quad, side, card }: Brought & { readonly card: LocatedCard | undefined },
  zone: MrzReading | undefined,
  lines: readonly TextLine[],
): AttackMeasurement => {
  const portrait = mainFace(side.faces)?.box;
  const area = turnCorners(quad ?? frameQuad(opened), side.turns);
  return measureAttack(imaging, {
    native,
    isWhole: native.scale === 1,
    area: enlargeCorners(area, opened, native),
    isLocated: quad !== undefined,
    ...(card !== undefined && card.score >= cardScore.probable
      ? { outline: enlargeCorners(card.quad, opened, native) }
      : {}),
    upright: side.image,
    ...(portrait && { portrait }),
    zoneShare: zone === undefined ? 0 : distance(zone.quad[0], zone.quad[1]) / distance(area[0], area[1]),
    lines: lines.filter(isValue),
  });
};

const shrink = async (imaging: SideEyes["imaging"], { image }: UprightSide) => {
  const scale = Math.min(1, qualitySide / Math.max(image.width, image.height));
  const side = (length: number): number => Math.max(8, Math.round(length * scale));
  return await imaging.resize(image, side(image.width), side(image.height));
};

const sightingOf = ({ quad, score, others }: LocatedCard, image: OpenedImage): CardSighting => {
  const [top, right, bottom, left] = sideLengths(quad);
  const across = (top + bottom) / 2 / image.scale;
  const down = (right + left) / 2 / image.scale;
  const outside = Math.max(
    ...quad.map(([x, y]) => Math.max(-x, -y, x - (image.width - 1), y - (image.height - 1), 0)),
  );
  const margin = Math.min(
    ...quad.map(([x, y]) => Math.min(x, y, image.width - 1 - x, image.height - 1 - y) / image.scale),
  );
  return {
    score,
    marginShare: margin / Math.max(across, down),
    outsideShare: outside / Math.min(image.width, image.height),
    longSidePx: Math.round(Math.max(across, down)),
    shortSidePx: Math.round(Math.min(across, down)),
    ...(others === undefined ? {} : { others }),
  };
};

const zoneOf = (zone: MrzReading, opened: OpenedImage): MrzSighting => {
  const { format, lines, accepted, clear, weakestMargin } = zone;
  const room = roomAround(zone, opened);
  return { format, lines, accepted, clear, weakestMargin, ...(room === undefined ? {} : { room }) };
};
