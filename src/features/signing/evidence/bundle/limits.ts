import type { AttachmentLimits } from "../../pdf/read-attachments.ts";

/**
 * Bounds of a bundle, our choice. 10,000 links and 500 calls with their measurements are some 10 MB. Kept
 * images come to 500 of a megabyte at most, of which a bundle takes as many as fit: beyond the limit its
 * making is refused.
 */
export const bundleLimits: AttachmentLimits = {
  pdfBytesMax: 100_000_000,
  bytesMax: 100_000_000,
  countMax: 600,
};
