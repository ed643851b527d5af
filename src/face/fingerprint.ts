import type { GreyImage, Image, Imaging } from "#imaging/image";

const cells = 16;

/**
 * Signature of an aligned face view that survives scaling and recompression (dHash): 256 bits as hex, each one
 * tells whether a cell is brighter than its right neighbour. Another shot of the same person differs in dozens.
 */
export const measureFingerprint = async (imaging: Imaging, aligned: Float32Array): Promise<string> => {
  const side = Math.sqrt(aligned.length / 3);
  const data = new Uint8Array(aligned.length);
  for (let i = 0; i < data.length; i++) {
    data[i] = aligned[i]! + 0.5;
  }
  const image: Image = { width: side, height: side, data };
  return bitsOf(imaging.toGrey(await imaging.resize(image, cells + 1, cells)));
};

const bitsOf = ({ width, data }: GreyImage): string => {
  const bytes = new Uint8Array((cells * cells) / 8);
  for (let i = 0; i < cells * cells; i++) {
    const at = Math.floor(i / cells) * width + (i % cells);
    if (data[at]! > data[at + 1]!) {
      bytes[i >> 3]! |= 1 << (i & 7);
    }
  }
  return Buffer.from(bytes).toString("hex");
};

/** Bits in which two fingerprints differ, 0…256. */
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
