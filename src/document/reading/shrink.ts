import type { Image, Imaging } from "#imaging/image";

/** A shorter side has no edges or marks that could be found. */
const sideMin = 8;

/** The image with its longer side at most `longSideMax` pixels; a smaller image stays as it is. */
export const shrinkTo = async (
  imaging: Pick<Imaging, "resize">,
  image: Image,
  longSideMax: number,
): Promise<Image> => {
  const scale = longSideMax / Math.max(image.width, image.height);
  const side = (length: number): number => Math.max(sideMin, Math.round(length * scale));
  return scale >= 1 ? image : await imaging.resize(image, side(image.width), side(image.height));
};
