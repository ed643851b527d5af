import { Failure } from "#contract/failure";
import { readAvifHeader } from "./avif-header.ts";
import type { ImageFormat } from "./file-format.ts";
import { type JpegHeader, readJpegHeader } from "./jpeg-header.ts";
import type { ImagingLimits } from "./limits.ts";
import { readPngHeader } from "./png-header.ts";
import { readWebpHeader } from "./webp-header.ts";

type Size = { readonly width: number; readonly height: number };

/**
 * Refuses sides and pixels beyond the limits: image_too_large, or image_unreadable for a side that is too
 * short.
 */
export const checkSize = ({ width, height }: Size, { pixelsMax, sideMax, sideMin }: ImagingLimits): void => {
  if (width * height > pixelsMax || Math.max(width, height) > sideMax) {
    throw new Failure("image_too_large", { width, height, pixelsMax, sideMax });
  }
  if (Math.min(width, height) < sideMin) throw new Failure("image_unreadable", { width, height, sideMin });
};

const unsupported = (reason: string): Failure => new Failure("image_unsupported", { reason });
const manyFrames = "more than one frame";

/**
 * Judges the header of a file by our own reading, before a decoder of others sees it. The decoders report
 * some huge sides as a broken file; here they are too large. Gives the facts of a JPEG.
 */
export const checkHeader = (
  bytes: Uint8Array,
  format: ImageFormat,
  limits: ImagingLimits,
): JpegHeader | undefined => {
  if (format === "jpeg") return checkJpeg(readJpegHeader(bytes), limits);
  if (format === "avif") checkAvif(bytes, limits);
  else checkChunks(format === "png" ? readPngHeader(bytes) : readWebpHeader(bytes), limits);
  return undefined;
};

const checkJpeg = (jpeg: JpegHeader, limits: ImagingLimits): JpegHeader => {
  const { scans, size, isArithmetic } = jpeg;
  if (scans > limits.scansMax) {
    throw new Failure("image_too_large", { scans, scansMax: limits.scansMax });
  }
  // No browser and no camera uses it. 50 megapixels of random codes in 35 scans cost 4 s of a processor,
  // and the time limit cannot end them: the decoder reads all scans in one step.
  if (isArithmetic) throw unsupported("arithmetic coding");
  if (size !== undefined) checkSize(size, limits);
  return jpeg;
};

/** PNG and WebP state in their chunks whether they are animated. */
const checkChunks = (
  { size, isAnimated }: { readonly size?: Size; readonly isAnimated: boolean },
  limits: ImagingLimits,
): void => {
  if (isAnimated) throw unsupported(manyFrames);
  if (size !== undefined) checkSize(size, limits);
};

const checkAvif = (bytes: Uint8Array, limits: ImagingLimits): void => {
  const avif = readAvifHeader(bytes);
  if (!avif.isStill) {
    throw avif.reason === "damaged" ? new Failure("image_unreadable") : unsupported(avif.reason);
  }
  checkSize(avif.size, { ...limits, pixelsMax: Math.min(limits.pixelsMax, limits.avifPixelsMax) });
};

/** Checks the facts that the decoder found after our own. The decoder must not find more than ours state. */
export const checkMetadata = (
  metadata: Size & { readonly pages?: number | undefined },
  limits: ImagingLimits,
): void => {
  checkSize(metadata, limits);
  if ((metadata.pages ?? 1) > 1) throw unsupported(manyFrames);
};
