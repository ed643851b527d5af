import type { Box, Image, Imaging, OpenedImage } from "#machine/imaging/image";
import { measureCompression } from "../liveness/cues/compression.ts";
import { measureLight } from "../liveness/cues/light.ts";
import { measureMoire } from "../liveness/cues/moire.ts";
import { measureSurround } from "../liveness/cues/surround.ts";
import type { LivenessCues } from "../measurement.ts";

/** Long side of the small view for edges and light. */
const smallSide = 480;

/**
 * Measures the traces of an attack in one image. `image` is the searched image, which may be rotated by 180°;
 * `face` is in its pixels.
 */
export const measureCues = async (
  imaging: Imaging,
  opened: OpenedImage,
  image: Image,
  face: Box,
): Promise<LivenessCues> => {
  const shrink = smallSide / Math.max(image.width, image.height);
  const small = await imaging.resize(image, image.width * shrink, image.height * shrink);
  const smallGrey = imaging.toGrey(small);
  const box = {
    x: face.x * shrink,
    y: face.y * shrink,
    width: face.width * shrink,
    height: face.height * shrink,
  };
  const surround = measureSurround(smallGrey, box);
  // A pixel grid does not survive scaling: on a reduced image the cue is absent.
  const isNative = opened.scale === 1 && overlaps(face, image);
  const moire = isNative ? measureMoire(imaging.toGrey(imaging.crop(image, face))) : undefined;
  const compression = measureCompression(imaging, opened);
  return {
    ...(surround && { surround }),
    ...(moire && { moire }),
    ...(compression && { compression }),
    light: measureLight(small, smallGrey, box),
  };
};

/** Whether a whole pixel of the box is inside the image. */
const overlaps = ({ x, y, width, height }: Box, image: Image): boolean =>
  Math.min(width, x + width) >= 1 &&
  Math.min(height, y + height) >= 1 &&
  x <= image.width - 1 &&
  y <= image.height - 1;
