import type { Image } from "#imaging/image";
import { seededRandom } from "#statistics/random";

/** A blank card with a pale background and fine coloured waves, like security printing from a distance. */
export const drawBlankCard = (width: number, height: number, seed: number): Image => {
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

/** Copies an image onto the card with its top-left corner at (x, y); the part beyond the card is cut. */
export const stamp = (card: Image, image: Image, x: number, y: number): void => {
  const columns = Math.min(image.width, card.width - x);
  for (let row = 0; row < image.height && y + row < card.height; row++) {
    const from = row * image.width * 3;
    card.data.set(image.data.subarray(from, from + columns * 3), ((y + row) * card.width + x) * 3);
  }
};
