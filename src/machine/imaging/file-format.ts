import { Failure } from "#contract/failure";

/**
 * The formats that are decoded: JPEG and PNG, which the interface declares (liveness images,
 * documentRawImageMimeType), and beyond it WebP and AVIF. All others are refused by their first bytes, before
 * a decoder reads them. Each name is the subtype of its MIME type.
 */
export type ImageFormat = "jpeg" | "png" | "webp" | "avif";

type Signature = {
  readonly name: string;
  readonly offset: number;
  readonly ascii?: string;
  readonly bytes?: readonly number[];
};

const supported: readonly (Signature & { readonly name: ImageFormat })[] = [
  { name: "jpeg", offset: 0, bytes: [0xff, 0xd8, 0xff] },
  { name: "png", offset: 0, bytes: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a] },
  { name: "webp", offset: 8, ascii: "WEBP" },
  // The major brand of a still image (AV1 Image File Format 1.1, 6.2).
  { name: "avif", offset: 4, ascii: "ftypavif" },
];

/** Formats that callers send by mistake. The error names them, so the caller sees the mistake. */
const refused: readonly Signature[] = [
  { name: "gif", offset: 0, ascii: "GIF8" },
  { name: "pdf", offset: 0, ascii: "%PDF" },
  { name: "svg", offset: 0, ascii: "<svg" },
  { name: "xml", offset: 0, ascii: "<?xml" },
  { name: "bmp", offset: 0, ascii: "BM" },
  { name: "tiff", offset: 0, ascii: "II*\0" },
  { name: "tiff", offset: 0, ascii: "MM\0*" },
  { name: "jpeg-2000", offset: 4, ascii: "jP  " },
  { name: "jpeg-2000", offset: 0, bytes: [0xff, 0x4f, 0xff, 0x51] },
  { name: "jpeg-xl", offset: 0, bytes: [0xff, 0x0a] },
  { name: "jpeg-xl", offset: 4, ascii: "JXL " },
  // The images of telephones. The decoder of this build reads AV1 alone, and no HEVC.
  { name: "heic", offset: 4, ascii: "ftyphei" },
  { name: "avif-sequence", offset: 4, ascii: "ftypavis" },
  { name: "heif", offset: 4, ascii: "ftyp" },
  { name: "zip", offset: 0, ascii: "PK" },
];

const holds = (bytes: Uint8Array, { offset, ascii, bytes: raw }: Signature): boolean => {
  const expected = raw ?? Array.from(ascii ?? "", (character) => character.charCodeAt(0));
  return expected.every((value, index) => bytes[offset + index] === value);
};

/** The format by magic bytes. Fails with image_unsupported, and names the format sent when it is known. */
export const formatOf = (bytes: Uint8Array): ImageFormat => {
  const format = supported.find((signature) => holds(bytes, signature))?.name;
  if (format !== undefined) return format;
  const sent = refused.find((signature) => holds(bytes, signature))?.name;
  throw new Failure("image_unsupported", {
    supported: supported.map(({ name }) => name),
    ...(sent === undefined ? {} : { sent }),
  });
};
