import { seededRandom } from "#contract/statistics/random";
import type { Box, Image } from "#machine/imaging/image";

/** Draws rows of dark strokes in words: a border detector sees text so. */
export const drawWords = (card: Image, box: Box, seed: number): void => {
  const random = seededRandom(seed);
  const lineHeight = Math.max(8, Math.round(card.height * 0.045));
  for (let y = box.y; y + lineHeight < box.y + box.height; y += lineHeight * 2) {
    let x = box.x;
    while (x < box.x + box.width * (0.5 + random() * 0.4)) {
      const stroke = Math.max(2, Math.round(lineHeight * 0.15));
      fill(
        card,
        { x, y: y + (random() < 0.3 ? lineHeight / 3 : 0), width: stroke, height: lineHeight * 0.7 },
        25,
      );
      x += stroke * (random() < 0.12 ? 8 : 3);
    }
  }
};

/** Paints an upright rectangle grey. */
export const fill = (card: Image, box: Box, grey: number): void => {
  const yEnd = Math.min(card.height, Math.round(box.y + box.height));
  const xEnd = Math.min(card.width, Math.round(box.x + box.width));
  for (let y = Math.round(box.y); y < yEnd; y++) {
    card.data.fill(grey, (y * card.width + Math.round(box.x)) * 3, (y * card.width + xEnd) * 3);
  }
};
