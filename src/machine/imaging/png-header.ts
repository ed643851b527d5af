/** Facts from the chunks of a PNG, without decoding it (PNG third edition). */
export type PngHeader = {
  /** The size in IHDR; absent where the file does not begin with it. */
  readonly size?: { readonly width: number; readonly height: number };
  /** An APNG has an acTL chunk before its first IDAT (11.3.6.1). */
  readonly isAnimated: boolean;
};

const signatureBytes = 8;
/** Length, type and checksum of a chunk (5.3). */
const frameBytes = 12;
/** A still image has a few chunks before its pixels. */
const chunksMax = 1000;

const typeAt = (bytes: Uint8Array, at: number): string =>
  String.fromCharCode(...bytes.subarray(at + 4, at + 8));

/** Looks at 1000 chunks at most. It never reads past the end and never throws, whatever the bytes are. */
export const readPngHeader = (bytes: Uint8Array): PngHeader => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const first = signatureBytes;
  const hasSize = bytes.length >= first + 16 && typeAt(bytes, first) === "IHDR";
  return {
    ...(hasSize && { size: { width: view.getUint32(first + 8), height: view.getUint32(first + 12) } }),
    isAnimated: findsAnimation(bytes, view),
  };
};

const findsAnimation = (bytes: Uint8Array, view: DataView): boolean => {
  for (let at = signatureBytes, chunks = 0; at + 8 <= bytes.length && chunks < chunksMax; chunks++) {
    const type = typeAt(bytes, at);
    if (type === "acTL") return true;
    if (type === "IDAT") return false;
    at += frameBytes + view.getUint32(at);
  }
  return false;
};
