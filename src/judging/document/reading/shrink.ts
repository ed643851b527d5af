import type { Image, Imaging } from "#machine/imaging/image";

/** Edges and sharpness are measured on sides of at least so many pixels. */
export const measuredSideMin = 8;

/**
 * The image with its longer side at most `longSideMax` and its shorter one at least `sideMin` pixels; a
 * smaller image stays as it is.
 */
export const shrinkTo = async (
  imaging: Pick<Imaging, "resize">,
  image: Image,
  longSideMax: number,
  sideMin = 1,
): Promise<Image> => {
  const scale = longSideMax / Math.max(image.width, image.height);
  const side = (length: number): number => Math.max(sideMin, Math.round(length * scale));
  return scale >= 1 ? image : await imaging.resize(image, side(image.width), side(image.height));
};
