/** Gives the operations on images, and the networks, the arrays for their results. */
export type PixelMemory = {
  /** An array of zeros. */
  readonly bytes: (length: number) => Uint8Array;
  readonly floats: (length: number) => Float32Array;
  /** Takes an image of a library over. The caller uses the result, not `made`, whose memory may be gone. */
  readonly takeBytes: (made: Uint8Array) => Uint8Array;
  /** The same for an output of a network. */
  readonly takeFloats: (made: Float32Array) => Float32Array;
};

/** A new array for each result. The garbage collector frees it. */
export const newMemory: PixelMemory = {
  bytes: (length) => new Uint8Array(length),
  floats: (length) => new Float32Array(length),
  takeBytes: (made) => made,
  takeFloats: (made) => made,
};
