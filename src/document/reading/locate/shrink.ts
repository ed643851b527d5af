import type { Image, Imaging } from "#imaging/image";

/** The image with its longer side at most so many pixels long. */
export const shrinkTo = async (
  imaging: Pick<Imaging, "resize">,
  image: Image,
  longSide: number,
): Promise<Image> => {
  const scale = longSide / Math.max(image.width, image.height);
  if (scale >= 1) {
    return image;
  }
  const width = Math.max(8, Math.round(image.width * scale));
  const height = Math.max(8, Math.round(image.height * scale));
  return await imaging.resize(image, width, height);
};
