import type { Box, Image } from "#imaging/image";
import { seededRandom } from "#statistics/random";

/** A blank card with a pale background and fine coloured waves, like security printing from a distance. */
export const drawCard = (width: number, height: number, seed: number): Image => {
  const random = seededRandom(seed);
  const tint = [200 + random() * 40, 200 + random() * 40, 200 + random() * 40];
  const data = new Uint8Array(width * height * 3);
  const phase = random() * 7;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const wave = Math.sin((y + 20 * Math.sin(x * 0.01 + phase)) * 0.25) > 0.86 ? -28 : 0;
      for (let channel = 0; channel < 3; channel++) {
        const slope = ((x / width) * 10 * (channel - 1)) | 0;
        data[(y * width + x) * 3 + channel] = Math.min(255, tint[channel]! + wave + slope);
      }
    }
  }
  return { width, height, data };
};

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

/** Copies an image onto the card with its top-left corner at (x, y); the part beyond the card is cut. */
export const stamp = (card: Image, image: Image, x: number, y: number): void => {
  const columns = Math.min(image.width, card.width - x);
  for (let row = 0; row < image.height && y + row < card.height; row++) {
    const from = row * image.width * 3;
    card.data.set(image.data.subarray(from, from + columns * 3), ((y + row) * card.width + x) * 3);
  }
};
