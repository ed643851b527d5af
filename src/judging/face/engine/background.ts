import type { Box, GreyImage, Image, Imaging } from "#machine/imaging/image";

/** The background behind a person. */
export type Background = {
  /**
   * Mean absolute step of luminance from pixel to pixel, 0…255, on a view of 240 px. A bare wall has under 2.
   */
  readonly gradient: number;
};

/** Long side of the view for the background measurement. */
const backgroundSide = 240;
/** The head with its hair, and the shoulders, as shares of the box around the landmarks. */
const headMargin = 0.35;
const shouldersWidth = 1.1;
const pixelsMin = 400;

/**
 * Measures the background behind the person; `face` is the box around the landmarks. Returns undefined if the
 * person fills the frame.
 */
export const makeBackgroundOf =
  (imaging: Pick<Imaging, "resize" | "toGrey">) =>
  async (image: Image, { x, y, width, height }: Box): Promise<Background | undefined> => {
    const shrink = backgroundSide / Math.max(image.width, image.height);
    const small = await imaging.resize(image, image.width * shrink, image.height * shrink);
    const box = { x: x * shrink, y: y * shrink, width: width * shrink, height: height * shrink };
    return measureBackground(imaging.toGrey(small), box);
  };

const measureBackground = ({ data, width, height }: GreyImage, face: Box): Background | undefined => {
  const isPerson = (x: number, y: number): boolean => {
    const isBeside = Math.abs(x - face.x - face.width / 2);
    const top = face.y - headMargin * face.height;
    return (
      y > top &&
      (y < face.y + face.height
        ? isBeside < (0.5 + headMargin) * face.width
        : isBeside < (0.5 + shouldersWidth) * face.width)
    );
  };
  let sum = 0;
  let count = 0;
  for (let y = 0; y + 1 < height; y++) {
    for (let x = 0; x + 1 < width; x++) {
      if (isPerson(x, y) || isPerson(x + 1, y + 1)) continue;
      const here = data[y * width + x]!;
      sum += Math.abs(data[y * width + x + 1]! - here) + Math.abs(data[(y + 1) * width + x]! - here);
      count += 2;
    }
  }
  return count < pixelsMin ? undefined : { gradient: sum / count };
};
