import type { SideReading } from "../../reading/reading.ts";

/**
 * Longer sides at most, in pixels: of an image that is read (reading/read-side.ts), and of the upright side
 * on which faces are found (reading/upright.ts). The test holds them together.
 */
export const sideMax = { opened: 2000, upright: 1400 } as const;

type Measured = Pick<SideReading, "file" | "card" | "portrait">;

/**
 * An ID-1 card is 85.6 × 53.98 mm (ISO/IEC 7810): 1.586. A page of a passport is 125 × 88 mm (ICAO Doc
 * 9303-4): an outline between these shapes is of neither. An image without an outline is a flat card alone,
 * where it has the shape of one.
 */
const cardShape = { outline: { min: 1.5, max: 1.68 }, image: { min: 1.55, max: 1.62 } } as const;

/**
 * The width of the portrait's face as a share of its card's longer side. Undefined where no outline of an
 * ID-1 card is used, and the image is none.
 */
export const faceShareOf = ({ file, card, portrait }: Measured): number | undefined => {
  if (portrait === undefined) return undefined;
  const [long, short, shape] =
    card === undefined
      ? [Math.max(file.width, file.height), Math.min(file.width, file.height), cardShape.image]
      : [card.longSidePx, card.shortSidePx, cardShape.outline];
  const isCard = long >= shape.min * short && long <= shape.max * short;
  return isCard ? portrait.face.width / uprightPx(long, file) : undefined;
};

/**
 * The least that the share can be: that of the image's longer side, on which the card is no longer. Zero
 * without a portrait.
 */
export const leastFaceShareOf = ({ file, portrait }: Measured): number =>
  (portrait?.face.width ?? 0) / uprightPx(Math.max(file.width, file.height), file);

/** The longer side of the upright side that so many pixels of the file become. */
const uprightPx = (longSidePx: number, file: SideReading["file"]): number => {
  const scale = Math.min(1, sideMax.opened / Math.max(file.width, file.height));
  return Math.min(sideMax.upright, longSidePx * scale);
};
