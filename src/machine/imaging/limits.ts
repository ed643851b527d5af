/** Cost limits of one image; checked on the header, before any pixel is decoded. */
export type ImagingLimits = {
  readonly bytesMax: number;
  readonly pixelsMax: number;
  /** The same for an AVIF, whose decoder is the slowest and ends at no time limit. */
  readonly avifPixelsMax: number;
  readonly sideMax: number;
  /** No reader finds anything on a shorter side, and a reduced copy of such an image could have no rows. */
  readonly sideMin: number;
  /** Scans of a progressive JPEG: each one costs a pass over all pixels. Encoders write about ten. */
  readonly scansMax: number;
  /** Whole seconds. A decode that passes them is ended, and `judgeTimeOut` names the cause. */
  readonly decodeSecondsMax: number;
};

/** 50 megapixels is the largest image of today's telephones (8192 x 6144); a 12 MP JPEG has 3-6 MB. */
export const defaultImagingLimits: ImagingLimits = {
  bytesMax: 16 * 1024 * 1024,
  pixelsMax: 8192 * 6144,
  // 12 megapixels of noise in 9.8 MB with twelve bits cost 3.1 s of a processor (measured with libaom 3.15).
  avifPixelsMax: 4096 * 3072,
  sideMax: 16_384,
  // One cell of BlazeFace and half a line of print: chosen.
  sideMin: 16,
  scansMax: 64,
  decodeSecondsMax: 10,
};
