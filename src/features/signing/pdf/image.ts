import { deflateSync } from "node:zlib";
import { Failure } from "#contract/failure";
import { pdfName, pdfNumber, pdfStream } from "./make-value.ts";
import type { PdfModel } from "./model.ts";
import { decodePng, type Pixels, samplesOf } from "./png.ts";
import type { PdfValue } from "./reader/pdf-value.ts";
import type { VisibleSignature } from "./types.ts";

/** A hand-signature of 4 by 1.5 inches at 600 dpi has 2.2 megapixels. */
const pixelsMax = 4_000_000;
const sideMax = 10_000;
const bytesMax = 4_000_000;

const unreadable = (reason: string): Failure => new Failure("signature_image_unreadable", { reason });

const checkSize = (width: number, height: number): void => {
  if (width < 1 || height < 1) throw unreadable("empty");
  if (width > sideMax || height > sideMax || width * height > pixelsMax) throw unreadable("too_many_pixels");
};

const pngMark = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** Checks the sizes of a PNG and decodes it within what its header states. */
const readPng = (bytes: Buffer): Pixels => {
  if (bytes.length < 33 || !bytes.subarray(0, 8).equals(pngMark)) throw unreadable("no_png");
  const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
  checkSize(width, height);
  const [depth, kind] = [bytes[24]!, bytes[25]!];
  const perPixel = samplesOf.get(kind);
  if (perPixel === undefined || ![1, 2, 4, 8, 16].includes(depth)) throw unreadable("unknown_colours");
  const data: Buffer[] = [];
  let palette: Buffer = Buffer.alloc(0);
  let transparency: Buffer | undefined;
  for (let at = 8; at + 12 <= bytes.length; ) {
    const length = bytes.readUInt32BE(at);
    const name = bytes.toString("latin1", at + 4, at + 8);
    if (at + 12 + length > bytes.length) throw unreadable("cut_off");
    const body = bytes.subarray(at + 8, at + 8 + length);
    if (name === "acTL") throw unreadable("animation");
    if (name === "IDAT") data.push(body);
    if (name === "PLTE") palette = body;
    if (name === "tRNS") transparency = body;
    if (name === "IEND") break;
    at += 12 + length;
  }
  // Rows have a filter byte each. Some writers add bytes behind the last one.
  const largest = height * (Math.ceil((width * perPixel * depth) / 8) + 1) * 2 + 1024;
  const [isInterlaced, joined] = [bytes[28] !== 0, Buffer.concat(data)];
  return decodePng(
    { width, height, depth, kind, isInterlaced, palette, transparency, data: joined },
    largest,
  );
};

type Frame = { readonly width: number; readonly height: number; readonly components: number };

/** The frame header of a JPEG (ITU-T T.81, B.2.2). */
const readFrame = (bytes: Buffer): Frame => {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8) throw unreadable("no_jpeg");
  for (let at = 2; at + 9 < bytes.length; ) {
    if (bytes[at] !== 0xff) throw unreadable("no_jpeg");
    const marker = bytes[at + 1]!;
    if (marker === 0xff) {
      at++;
      continue;
    }
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame && marker > 0xc2) throw unreadable("unsupported_jpeg");
    if (isFrame) {
      const [width, height] = [bytes.readUInt16BE(at + 7), bytes.readUInt16BE(at + 5)];
      checkSize(width, height);
      return { width, height, components: bytes[at + 9]! };
    }
    at += 2 + bytes.readUInt16BE(at + 2);
  }
  throw unreadable("cut_off");
};

/** An image of the file: its object, and its sides in pixels. */
export type EmbeddedImage = {
  readonly object: PdfValue;
  readonly width: number;
  readonly height: number;
};

type ImageData = {
  readonly width: number;
  readonly height: number;
  readonly colours: string;
  readonly filter: string;
  readonly mask?: PdfValue;
};

const imageStream = ({ width, height, colours, filter, mask }: ImageData, data: Uint8Array): PdfValue =>
  pdfStream(
    {
      Type: pdfName("XObject"),
      Subtype: pdfName("Image"),
      Width: pdfNumber(width),
      Height: pdfNumber(height),
      ColorSpace: pdfName(colours),
      BitsPerComponent: pdfNumber(8),
      Filter: pdfName(filter),
      SMask: mask,
    },
    data,
  );

const embedPng = (model: PdfModel, bytes: Buffer): EmbeddedImage => {
  const { width, height, colours, isGrey, opacity } = readPng(bytes);
  const shape = { width, height, filter: "FlateDecode" } as const;
  const mask =
    opacity && model.register(imageStream({ ...shape, colours: "DeviceGray" }, deflateSync(opacity)));
  const space = isGrey ? "DeviceGray" : "DeviceRGB";
  const image = imageStream({ ...shape, colours: space, ...(mask && { mask }) }, deflateSync(colours));
  return { object: model.register(image), width, height };
};

/** Colours of a JPEG by the number of its components. */
const jpegColours = new Map([
  [1, "DeviceGray"],
  [3, "DeviceRGB"],
  [4, "DeviceCMYK"],
]);

/** The bytes stay as they were sent. */
const embedJpeg = (model: PdfModel, bytes: Buffer): EmbeddedImage => {
  const { width, height, components } = readFrame(bytes);
  const colours = jpegColours.get(components);
  if (colours === undefined) throw unreadable("unknown_colours");
  const image = imageStream({ width, height, colours, filter: "DCTDecode" }, bytes);
  return { object: model.register(image), width, height };
};

/**
 * Embeds an image of caller data. Fails with `signature_image_unreadable`; sizes are checked before it is
 * decoded.
 */
export const embedImage = (model: PdfModel, image: NonNullable<VisibleSignature["image"]>): EmbeddedImage => {
  const bytes = Buffer.from(image.bytes);
  if (bytes.length > bytesMax) throw unreadable("too_many_bytes");
  try {
    return image.format === "png" ? embedPng(model, bytes) : embedJpeg(model, bytes);
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new Failure("signature_image_unreadable", { reason: "damaged" }, { cause: error });
  }
};
