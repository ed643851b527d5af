import type { GreyImage, Image, Imaging } from "#machine/imaging/image";

/**
 * Converts an image to grey once: lines, marks and ink are read from the same side. Readers do not change the
 * result, which is kept as long as its image.
 */
export const greyOnce = (toGrey: Imaging["toGrey"]): Imaging["toGrey"] => {
  const made = new WeakMap<Image, GreyImage>();
  return (image) => {
    const grey = made.get(image) ?? toGrey(image);
    made.set(image, grey);
    return grey;
  };
};
