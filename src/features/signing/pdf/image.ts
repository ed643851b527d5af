import { inflateSync } from "node:zlib";
import type { PDFImage } from "@libpdf/core";
import { Failure } from "#contract/failure";
import type { PdfModel } from "./model.ts";
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
/** Samples of a pixel by colour type (RFC 2083, 2.4.1). */
const samples = new Map([
  [0, 1],
  [2, 3],
  [3, 1],
  [4, 2],
  [6, 4],
]);

/** Checks the sizes of a PNG and inflates it within what its header states: a decoder would inflate without a bound. */
const checkPng = (bytes: Buffer): void => {
  if (bytes.length < 33 || !bytes.subarray(0, 8).equals(pngMark)) throw unreadable("no_png");
  const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
  checkSize(width, height);
  const perPixel = samples.get(bytes[25]!);
  if (perPixel === undefined || ![1, 2, 4, 8, 16].includes(bytes[24]!)) throw unreadable("unknown_colours");
  const data: Buffer[] = [];
  for (let at = 8; at + 12 <= bytes.length; ) {
    const length = bytes.readUInt32BE(at);
    const kind = bytes.toString("latin1", at + 4, at + 8);
    if (at + 12 + length > bytes.length) throw unreadable("cut_off");
    if (kind === "acTL") throw unreadable("animation");
    if (kind === "IDAT") data.push(bytes.subarray(at + 8, at + 8 + length));
    if (kind === "IEND") break;
    at += 12 + length;
  }
  // Rows of at most 7 passes of interlacing have a filter byte each.
  const largest = height * (Math.ceil((width * perPixel * bytes[24]!) / 8) + 1) * 2 + 1024;
  inflateSync(Buffer.concat(data), { maxOutputLength: largest });
};

/** Finds the frame header of a JPEG (ITU-T T.81, B.2.2). */
const checkJpeg = (bytes: Buffer): void => {
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
    if (isFrame) return checkSize(bytes.readUInt16BE(at + 7), bytes.readUInt16BE(at + 5));
    at += 2 + bytes.readUInt16BE(at + 2);
  }
  throw unreadable("cut_off");
};

/** Embeds an image of caller data. Fails with `signature_image_unreadable`; sizes are checked before it is decoded. */
export const embedImage = (model: PdfModel, image: NonNullable<VisibleSignature["image"]>): PDFImage => {
  const bytes = Buffer.from(image.bytes);
  if (bytes.length > bytesMax) throw unreadable("too_many_bytes");
  try {
    if (image.format === "png") {
      checkPng(bytes);
      return model.pdf.embedPng(bytes);
    }
    checkJpeg(bytes);
    return model.pdf.embedJpeg(bytes);
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new Failure("signature_image_unreadable", { reason: "damaged" }, { cause: error });
  }
};
