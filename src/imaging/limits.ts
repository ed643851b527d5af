/** What one picture may cost; checked on the header, before any pixel is decoded. */
export type ImagingLimits = {
  readonly bytesMax: number;
  readonly pixelsMax: number;
  readonly sideMax: number;
  /** Scans of a progressive JPEG: each one costs a pass over all pixels. Encoders write about ten. */
  readonly scansMax: number;
  readonly decodeSecondsMax: number;
};

/** 50 megapixels is the largest picture of today's telephones (8192 x 6144); a 12 MP JPEG has 3-6 MB. */
export const defaultImagingLimits: ImagingLimits = {
  bytesMax: 16 * 1024 * 1024,
  pixelsMax: 8192 * 6144,
  sideMax: 16_384,
  scansMax: 64,
  decodeSecondsMax: 10,
};
