const cells = 16;

/**
 * Signature of an aligned face view that survives scaling and recompression (dHash): 256 bits as hex. Each
 * bit states whether a cell is brighter than its right neighbour. Another shot of the same person differs in
 * dozens of bits.
 */
export const measureFingerprint = (aligned: Float32Array): string => {
  const means = cellMeans(aligned, cells + 1, cells);
  const bytes = new Uint8Array((cells * cells) / 8);
  for (let i = 0; i < cells * cells; i++) {
    const at = Math.floor(i / cells) * (cells + 1) + (i % cells);
    if (means[at]! > means[at + 1]!) {
      bytes[i >> 3]! |= 1 << (i & 7);
    }
  }
  return Buffer.from(bytes).toString("hex");
};

/**
 * Mean Rec. 601 luma of the cells of a square RGB view, on whole pixels, row by row. Grey levels are rounded
 * to integers: in a border of one colour, noise or a rounding error must not decide a bit.
 */
const cellMeans = (rgb: Float32Array, columns: number, rows: number): Uint8Array => {
  const side = Math.sqrt(rgb.length / 3);
  const means = new Uint8Array(columns * rows);
  for (let cell = 0; cell < means.length; cell++) {
    const column = cell % columns;
    const row = Math.floor(cell / columns);
    const left = Math.round((column * side) / columns);
    const right = Math.round(((column + 1) * side) / columns);
    const top = Math.round((row * side) / rows);
    const bottom = Math.round(((row + 1) * side) / rows);
    means[cell] = Math.round(meanWithin(rgb, side, left, right, top, bottom));
  }
  return means;
};

const meanWithin = (
  rgb: Float32Array,
  side: number,
  left: number,
  right: number,
  top: number,
  bottom: number,
): number => {
  let sum = 0;
  for (let y = top; y < bottom; y++) {
    for (let at = (y * side + left) * 3, end = (y * side + right) * 3; at < end; at += 3) {
      sum += 0.299 * rgb[at]! + 0.587 * rgb[at + 1]! + 0.114 * rgb[at + 2]!;
    }
  }
  return sum / ((right - left) * (bottom - top));
};

/** The number of bits in which two fingerprints differ, 0…256. */
export const fingerprintDistance = (a: string, b: string): number => {
  const [left, right] = [Buffer.from(a, "hex"), Buffer.from(b, "hex")];
  return left.reduce((sum, byte, i) => sum + popCount(byte ^ right[i]!), 0);
};

const popCount = (byte: number): number => {
  let count = 0;
  for (let rest = byte; rest > 0; rest &= rest - 1) {
    count++;
  }
  return count;
};
