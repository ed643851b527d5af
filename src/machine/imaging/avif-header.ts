import { readStillSize } from "./av1-still.ts";
import { boxesOf, childrenOf, type IsoItem, readItems } from "./iso-boxes.ts";

/** Facts from the boxes of an AVIF, without decoding it (AV1 Image File Format 1.1; ISO/IEC 23008-12). */
export type AvifHeader =
  | {
      readonly isStill: true;
      /** The largest sides of its coded images, before any rotation. */
      readonly size: { readonly width: number; readonly height: number };
    }
  | { readonly isStill: false; readonly reason: AvifDefect };

/**
 * Why an AVIF is not decoded. No time limit ends its decoder, so each coded image must be one still picture
 * whose size its own header states: one frame could hide thousands, and a grid could name one image a
 * thousand times.
 */
export type AvifDefect = "damaged" | "more than one frame" | "tiles" | "no plain still picture";

/** Colour, transparency, and what some encoders add to them. */
const imagesMax = 4;
/** Items that are no image. */
const metadataTypes: ReadonlySet<string> = new Set(["Exif", "mime", "uri "]);

const defect = (reason: AvifDefect): AvifHeader => ({ isStill: false, reason });

/** Reads boxes and headers alone. It never reads past the end and never throws, whatever the bytes are. */
export const readAvifHeader = (bytes: Uint8Array): AvifHeader => {
  const top = boxesOf(bytes, 0, bytes.length);
  if (top?.some(({ type }) => type === "moov") === true) return defect("more than one frame");
  const metas = top?.filter(({ type }) => type === "meta") ?? [];
  const children = metas.length === 1 ? childrenOf(bytes, metas[0]!) : undefined;
  const items = children && readItems(bytes, children);
  return items === undefined ? defect("damaged") : judgeItems(bytes, items);
};

const judgeItems = (bytes: Uint8Array, items: readonly IsoItem[]): AvifHeader => {
  const images = items.filter(({ type }) => !metadataTypes.has(type));
  if (images.some(({ type }) => type !== "av01") || images.length > imagesMax) return defect("tiles");
  if (images.length === 0) return defect("damaged");
  let [width, height] = [0, 0];
  for (const { extent } of images) {
    if (extent === undefined) return defect("damaged");
    const size = readStillSize(bytes.subarray(extent.from, extent.to));
    if (size === undefined) return defect("no plain still picture");
    width = Math.max(width, size.width);
    height = Math.max(height, size.height);
  }
  return { isStill: true, size: { width, height } };
};
