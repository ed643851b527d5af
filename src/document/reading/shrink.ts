import type { Image, Imaging } from "#imaging/image";

/** The image with its longer side at most `longSideMax` pixels; a smaller image stays as it is. */
export const shrinkTo = async (
  imaging: Pick<Imaging, "resize">,
  image: Image,
  longSideMax: number,
): Promise<Image> => {
  const scale = longSideMax / Math.max(image.width, image.height);
  return scale >= 1 ? image : await imaging.resize(image, image.width * scale, image.height * scale);
};
