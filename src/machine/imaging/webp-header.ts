/** Facts from the chunks of a WebP, without decoding it (RFC 9649). */
export type WebpHeader = {
  /** The largest sides that any header of the file states; absent where none does. */
  readonly size?: { readonly width: number; readonly height: number };
  /** Whether the file states or has an animation (2.7.1.1, 2.7.1.2). */
  readonly isAnimated: boolean;
};

const firstChunk = 12;
const chunkHeadBytes = 8;
/** A still image has a few chunks: sizes, profile, alpha, pixels, EXIF, XMP. */
const chunksMax = 1000;
const animationFlag = 0x02;

type Size = { readonly width: number; readonly height: number };

const typeAt = (bytes: Uint8Array, at: number): string => String.fromCharCode(...bytes.subarray(at, at + 4));

const uint24 = (view: DataView, at: number): number =>
  view.getUint16(at, true) | (view.getUint8(at + 2) << 16);

/** Sides of a chunk whose data start at `at`; undefined for other chunks and for those that end too early. */
const sizeOf = (view: DataView, type: string, at: number): Size | undefined => {
  if (at + 10 > view.byteLength) return undefined;
  switch (type) {
    case "VP8 ":
      // RFC 6386, 9.1: three bytes of tag, three of start code, then 14 bits a side.
      return { width: view.getUint16(at + 6, true) & 0x3fff, height: view.getUint16(at + 8, true) & 0x3fff };
    case "VP8L": {
      // RFC 9649, 3.4: a signature, then 14 bits a side, less one.
      const bits = view.getUint32(at + 1, true);
      return { width: 1 + (bits & 0x3fff), height: 1 + ((bits >>> 14) & 0x3fff) };
    }
    case "VP8X":
      return { width: 1 + uint24(view, at + 4), height: 1 + uint24(view, at + 7) };
    default:
      return undefined;
  }
};

/** Looks at 1000 chunks at most. It never reads past the end and never throws, whatever the bytes are. */
export const readWebpHeader = (bytes: Uint8Array): WebpHeader => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let size: Size | undefined;
  let isAnimated = false;
  for (let at = firstChunk, chunks = 0; at + chunkHeadBytes < bytes.length && chunks < chunksMax; chunks++) {
    const type = typeAt(bytes, at);
    const data = at + chunkHeadBytes;
    isAnimated ||= type === "ANIM" || type === "ANMF";
    isAnimated ||= type === "VP8X" && (bytes[data]! & animationFlag) !== 0;
    const stated = sizeOf(view, type, data);
    if (stated !== undefined) {
      size = {
        width: Math.max(size?.width ?? 0, stated.width),
        height: Math.max(size?.height ?? 0, stated.height),
      };
    }
    const length = view.getUint32(at + 4, true);
    at = data + length + (length & 1);
  }
  return { isAnimated, ...(size && { size }) };
};
