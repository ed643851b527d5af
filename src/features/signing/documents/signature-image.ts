import { Failure } from "#contract/failure";
import type { SignatureImage } from "../evidence/signing-revision.ts";

/** First bytes of a PNG (ISO/IEC 15948, 5.2) and of a JPEG (ISO/IEC 10918-1, B.2.1). */
const starts = [
  { format: "png", bytes: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a] },
  { format: "jpeg", bytes: [0xff, 0xd8, 0xff] },
] as const;

/**
 * The image of a handwritten signature, by its first bytes. Fails with signature_image_unreadable. The writer
 * of the appearance decodes it and bounds its pixels.
 */
export const readSignatureImage = (bytes: Uint8Array, bytesMax: number): SignatureImage => {
  if (bytes.length > bytesMax) {
    throw new Failure("signature_image_unreadable", { reason: "it has too many bytes", bytesMax });
  }
  const known = starts.find((start) => start.bytes.every((byte, at) => bytes[at] === byte));
  if (known === undefined) {
    throw new Failure("signature_image_unreadable", { reason: "it is neither PNG nor JPEG" });
  }
  return { bytes, format: known.format };
};
