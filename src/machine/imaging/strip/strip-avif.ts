import { boxesOf, childrenOf, type IsoBox, readItems } from "../iso-boxes.ts";

/** Boxes of `meta` that name and place the images (ISO/IEC 23008-12, and ISO/IEC 14496-12, 8.11). */
const needed: ReadonlySet<string> = new Set(["hdlr", "pitm", "iloc", "iinf", "iprp", "iref"]);

type Range = { readonly from: number; readonly to: number };

/** Bytes between two places that belong to none of the ranges become zero. */
const clearBetween = (bytes: Buffer, { from, to }: Range, kept: readonly Range[]): void => {
  let at = from;
  for (const range of kept.toSorted((a, b) => a.from - b.from)) {
    if (range.from > at) bytes.fill(0, at, Math.min(range.from, to));
    at = Math.max(at, range.to);
    if (at >= to) return;
  }
  bytes.fill(0, at, to);
};

/**
 * The same pixels of an AVIF: the bytes of its metadata, and all that belong to no image, are zero, because
 * every place in the file is stated by its offset. Boxes behind the last image are cut off. The orientation
 * is a property of the image. Undefined for a file whose images have no plain places.
 */
export const stripAvif = (sent: Uint8Array): Uint8Array | undefined => {
  const top = boxesOf(sent, 0, sent.length);
  const meta = top?.find(({ type }) => type === "meta");
  const children = meta && childrenOf(sent, meta);
  const items = children && readItems(sent, children);
  if (top === undefined || meta === undefined || children === undefined || items === undefined)
    return undefined;
  const images = items.filter(({ type }) => type === "av01").map(({ extent }) => extent);
  const kept = images.filter((extent) => extent !== undefined);
  if (kept.length !== images.length || kept.length === 0) return undefined;
  const bytes = Buffer.from(sent);
  for (const child of children) if (!needed.has(child.type)) bytes.fill(0, child.from, child.to);
  const holds = ({ from, to }: IsoBox): boolean => kept.some((range) => range.from < to && range.to > from);
  for (const box of top) if (box.type !== "ftyp" && box !== meta) clearBetween(bytes, box, kept);
  const last = top.findLast((box) => box === meta || holds(box));
  return bytes.subarray(0, last?.to ?? bytes.length);
};
