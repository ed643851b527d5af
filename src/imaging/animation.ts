import type { ImageFormat } from "./file-format.ts";

const ascii = (bytes: Uint8Array, from: number): string =>
  String.fromCharCode(...bytes.subarray(from, from + 4));

/** An APNG has an acTL chunk before its first IDAT (PNG third edition, 11.3.6.1). Looks at 1000 chunks at most. */
const isAnimatedPng = (bytes: Uint8Array): boolean => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 8, chunks = 0; at + 8 <= bytes.length && chunks < 1000; chunks++) {
    const type = ascii(bytes, at + 4);
    if (type === "acTL") return true;
    if (type === "IDAT") return false;
    at += 12 + view.getUint32(at);
  }
  return false;
};

/** True when the file holds more than one frame: which of them was verified could not be said. */
export const isAnimated = (bytes: Uint8Array, format: ImageFormat): boolean =>
  format === "png" && isAnimatedPng(bytes);
