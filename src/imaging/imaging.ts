import sharp from "sharp";
import type { Image, Imaging } from "./image.ts";
import type { ImagingLimits } from "./limits.ts";
import { makeOpen } from "./open.ts";
import { crop, toGrey, turn } from "./pixels.ts";
import { rectify, rectifyGrey } from "./rectify.ts";
import { warpAffine } from "./warp.ts";

/**
 * All picture work of one thread. Sets libvips for the whole process: one thread a picture (the pool already
 * uses every core), no operation cache (inputs never repeat), and no loader but those of the accepted formats.
 */
export const makeImaging = ({ limits }: { readonly limits: ImagingLimits }): Imaging => {
  sharp.concurrency(1);
  sharp.cache(false);
  sharp.block({ operation: ["VipsForeignLoad"] });
  sharp.unblock({ operation: ["VipsForeignLoadJpegBuffer", "VipsForeignLoadPngBuffer"] });
  return {
    open: makeOpen(limits),
    resize,
    toGrey,
    crop,
    turn,
    warpAffine,
    rectify,
    rectifyGrey,
    encodeJpeg: async (image, quality) => rawSource(image).jpeg({ quality }).toBuffer(),
    encodePng: async (image) => rawSource(image).png({ compressionLevel: 6 }).toBuffer(),
  };
};

const rawSource = ({ data, width, height }: Image) =>
  sharp(data, { raw: { width, height, channels: 3 }, limitInputPixels: false });

/** Antialiased (cubic); the aspect ratio is the caller's business. */
const resize = async (image: Image, width: number, height: number): Promise<Image> => {
  if (width === image.width && height === image.height) return image;
  const data = await rawSource(image)
    .resize({ width, height, fit: "fill", kernel: "cubic" })
    .raw()
    .toBuffer();
  return { width, height, data };
};
