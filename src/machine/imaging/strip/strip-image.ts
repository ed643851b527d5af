import { formatOf, type ImageFormat } from "../file-format.ts";
import { stripAvif } from "./strip-avif.ts";
import { stripJpeg } from "./strip-jpeg.ts";
import { stripPng } from "./strip-png.ts";
import { stripWebp } from "./strip-webp.ts";

const strip: Readonly<Record<ImageFormat, (bytes: Uint8Array) => Uint8Array | undefined>> = {
  jpeg: stripJpeg,
  png: stripPng,
  webp: stripWebp,
  avif: stripAvif,
};

/**
 * The pixels of an image with what colour and orientation need, and nothing else: no EXIF, no XMP, no texts,
 * no thumbnail, no bytes behind the end. No pixel is encoded anew. Undefined for a file whose form does not
 * allow that. Fails with image_unsupported.
 */
export const stripImage = (bytes: Uint8Array): Uint8Array | undefined => strip[formatOf(bytes)](bytes);
