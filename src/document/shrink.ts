import type { Image, Imaging } from "#imaging/image";

/** The picture with its longer side at most that long, in pixels; a smaller one as it is. */
export const shrinkTo = async (
  imaging: Pick<Imaging, "resize">,
  image: Image,
  longSideMax: number,
): Promise<Image> => {
  const scale = longSideMax / Math.max(image.width, image.height);
  return scale >= 1
    ? image
    : await imaging.resize(image, Math.round(image.width * scale), Math.round(image.height * scale));
};
