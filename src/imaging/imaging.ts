import sharp from "sharp";
import type { Image, Imaging } from "./image.ts";
import type { ImagingLimits } from "./limits.ts";
import { makeOpen } from "./open.ts";
import { crop, rotate, toGrey } from "./pixels.ts";
import { rectify, rectifyGrey } from "./rectify.ts";
import { warpAffine } from "./warp.ts";

/** The loaders of libvips for the accepted formats, from memory alone. */
const loaders = ["Jpeg", "Png", "Webp", "Heif"].map((name) => `VipsForeignLoad${name}Buffer`);

/**
 * All image operations of one thread. It sets libvips for the whole process: one thread per image (the pool
 * already uses every core), no operation cache (inputs never repeat), and only the loaders of the accepted
 * formats.
 */
export const makeImaging = ({ limits }: { readonly limits: ImagingLimits }): Imaging => {
  sharp.concurrency(1);
  sharp.cache(false);
  sharp.block({ operation: ["VipsForeignLoad"] });
  sharp.unblock({ operation: loaders });
  return {
    open: makeOpen(limits),
    resize,
    toGrey,
    crop,
    rotate,
    warpAffine,
    rectify,
    rectifyGrey,
    encodeJpeg: async (image, quality) => rawSource(image).jpeg({ quality }).toBuffer(),
    encodePng: async (image) => rawSource(image).png({ compressionLevel: 6 }).toBuffer(),
  };
};

const rawSource = ({ data, width, height }: Image) =>
  sharp(data, { raw: { width, height, channels: 3 }, limitInputPixels: false });

/** A long, narrow image keeps a row: a side is never rounded to 0. */
const sideOf = (length: number): number => Math.max(1, Math.round(length));

const resize: Imaging["resize"] = async (image, across, down) => {
  const [width, height] = [sideOf(across), sideOf(down)];
  if (width === image.width && height === image.height) return image;
  const data = await rawSource(image)
    .resize({ width, height, fit: "fill", kernel: "cubic" })
    .raw()
    .toBuffer();
  return { width, height, data };
};
