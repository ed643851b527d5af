import sharp, { type Metadata, type Sharp } from "sharp";
import { Failure } from "#contract/failure";
import { checkHeader, checkMetadata } from "./check-header.ts";
import { decodeInTime } from "./decode-time.ts";
import { readExif } from "./exif.ts";
import { formatOf, type ImageFormat } from "./file-format.ts";
import type { FileFacts, OpenedImage, OpenOptions } from "./image.ts";
import { estimateQuality, type JpegHeader } from "./jpeg-header.ts";
import type { ImagingLimits } from "./limits.ts";

/**
 * Opens one encoded image: upright, sRGB, eight bits, without transparency. Whatever the bytes are, the
 * result comes within the limits, or the call fails with image_unreadable, image_unsupported or
 * image_too_large; with engine_busy where the machine is too busy to decode it in time.
 */
export const makeOpen =
  (limits: ImagingLimits) =>
  async (bytes: Uint8Array, options: OpenOptions = {}): Promise<OpenedImage> => {
    checkBytes(bytes, limits);
    const format = formatOf(bytes);
    const jpeg = checkHeader(bytes, format, limits);
    const metadata = await orUnreadable(sharp(bytes, { limitInputPixels: false, pages: 1 }).metadata());
    checkMetadata(metadata, limits);
    const file = factsOf(bytes, format, metadata, jpeg);
    const decoded = await decodeInTime(limits.decodeSecondsMax, () => decode(bytes, file, limits, options));
    return { ...decoded, file, scale: decoded.width / file.width };
  };

const checkBytes = (bytes: Uint8Array, { bytesMax }: ImagingLimits): void => {
  if (bytes.length === 0) throw new Failure("image_unreadable", { reason: "no bytes" });
  if (bytes.length > bytesMax) throw new Failure("image_too_large", { bytes: bytes.length, bytesMax });
};

type Size = { readonly width: number; readonly height: number };

/**
 * `failOn: error` refuses truncated files and broken structure, which a browser would show half grey. It
 * accepts the irregularities of real cameras: stray bytes before a marker are only a warning of libjpeg.
 */
const source = (bytes: Uint8Array, { pixelsMax, decodeSecondsMax }: ImagingLimits): Sharp =>
  sharp(bytes, { failOn: "error", limitInputPixels: pixelsMax, sequentialRead: true, pages: 1 }).timeout({
    seconds: decodeSecondsMax,
  });

/**
 * Turns an error of the header's decoder into image_unreadable, as {@link decodeInTime} does for the pixels.
 */
const orUnreadable = async <Value>(work: Promise<Value>): Promise<Value> => {
  try {
    return await work;
  } catch (cause) {
    throw new Failure("image_unreadable", {}, { cause });
  }
};

const factsOf = (
  bytes: Uint8Array,
  format: ImageFormat,
  metadata: Metadata,
  jpeg: JpegHeader | undefined,
): FileFacts => {
  const { software, camera } = metadata.exif === undefined ? {} : readExif(metadata.exif);
  const table = jpeg?.luminanceTable;
  return {
    format,
    bytes: bytes.length,
    width: metadata.autoOrient.width,
    height: metadata.autoOrient.height,
    hasExif: metadata.exif !== undefined,
    ...(software === undefined ? {} : { exifSoftware: software }),
    ...(camera === undefined ? {} : { exifCamera: camera }),
    ...(table === undefined ? {} : { jpegQuality: estimateQuality(table), jpegSteps: table }),
  };
};

/** Longest side of the result: the native side, limited to [min, max]. */
const targetSide = (native: number, { longSideMax = native, longSideMin = 0 }: OpenOptions): number =>
  Math.min(Math.max(native, longSideMin), Math.max(longSideMax, longSideMin));

type Decoded = Size & { readonly data: Uint8Array };

const decode = async (
  bytes: Uint8Array,
  file: FileFacts,
  limits: ImagingLimits,
  options: OpenOptions,
): Promise<Decoded> => {
  const native = Math.max(file.width, file.height);
  const side = targetSide(native, options);
  const upright = source(bytes, limits).autoOrient();
  const sized =
    side === native ? upright : upright.resize({ width: side, height: side, fit: "inside", kernel: "cubic" });
  const { data, info } = await sized
    .flatten({ background: options.background ?? "#ffffff" })
    .toColourspace("srgb")
    .raw({ depth: "uchar" })
    .toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  return { width, height, data: threeChannels(data, width * height) };
};

/** Three channels for the decoded bytes: a grey file may have one channel. */
const threeChannels = (data: Uint8Array, pixels: number): Uint8Array => {
  if (data.length === pixels * 3) return data;
  if (data.length !== pixels) throw new Error(`Unexpected raw length ${data.length} for ${pixels} pixels`);
  const rgb = new Uint8Array(pixels * 3);
  for (let i = 0, at = 0; i < pixels; i++, at += 3) rgb.fill(data[i]!, at, at + 3);
  return rgb;
};
