import { isTrusted } from "../../reading/locate/located-card.ts";
import type { SideReading } from "../../reading/reading.ts";

/**
 * Longer sides at most, in pixels: of an image that is read (reading/read-side.ts), and of the upright side
 * on which faces are found (reading/upright.ts). The test holds them together.
 */
export const sideMax = { opened: 2000, upright: 1400 } as const;

/**
 * An ID-1 card is 85.6 × 53.98 mm (ISO/IEC 7810), a page of a passport 125 × 88 mm (ICAO Doc 9303-4). An
 * outline between these shapes is of neither.
 */
const cardShape = { min: 1.5, max: 1.68 } as const;

/**
 * The width of the portrait's face as a share of its card's longer side. Undefined where no outline of an
 * ID-1 card is trusted.
 */
export const faceShareOf = ({
  file,
  card,
  portrait,
}: Pick<SideReading, "file" | "card" | "portrait">): number | undefined => {
  if (portrait === undefined || !isTrusted(card)) return undefined;
  const shape = card.longSidePx / card.shortSidePx;
  if (shape < cardShape.min || shape > cardShape.max) return undefined;
  const openedPx = card.longSidePx * Math.min(1, sideMax.opened / Math.max(file.width, file.height));
  return portrait.face.width / Math.min(sideMax.upright, openedPx);
};
