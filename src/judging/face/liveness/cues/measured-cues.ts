import type { Point } from "#machine/imaging/image";

/**
 * Physical reason: the pixel grid of a screen or the halftone of a print interferes with the grid of the
 * camera. It leaves narrow peaks in the spectrum; skin has none. Downscaling removes them.
 */
export type Moire = {
  /** Height of the strongest narrow peak over its surroundings, in decibels of power. */
  readonly peakDecibels: number;
  /** Period of that pattern in pixels. */
  readonly periodPx: number;
};

/**
 * Physical reason: a camera compresses an image once. A program that saves it again rounds its coefficients a
 * second time, to another step. Their histogram then has gaps and peaks at a regular distance (Popescu and
 * Farid 2004; Lukáš and Fridrich 2003). Web applications do the same to bona fide images: a weak cue.
 */
export type Compression = {
  /**
   * Strongest regular pattern in the histograms of low frequencies, in nats: .1 to .25 after one rounding,
   * .65 and more after a coarser and a finer rounding.
   */
  readonly doubleQuantisation: number;
};

/** Light of the whole frame. Physical reason: paper and screens have no real black and no real white. */
export type LightRange = {
  /** 1st percentile of luminance, 0…255. A recapture lifts it: glass reflects, ink is grey. */
  readonly blackLevel: number;
  /** Share of the frame at or above 250: a lamp or glare on glass or gloss. */
  readonly blownOut: number;
  /**
   * Mean chroma |max - min| of the face's pixels, 0…255: print and screen gamuts are narrower than skin's.
   */
  readonly faceChroma: number;
  /**
   * Mean gradient of the face over that of its surroundings; a flat copy has the same focus everywhere.
   * Absent without margins.
   */
  readonly focusRatio?: number;
  /** Luminance of the brightest 2 % of face pixels over the median; absent for a face without pixels. */
  readonly highlights?: number;
};

/** The change between the frames of one capture. */
export type Motion = {
  /** Frames of the same person, the best image included. */
  readonly frames: number;
  /**
   * Largest rotation of a head that the followed landmarks show against the best image (motion/relief.ts): a
   * sine.
   */
  readonly relief: number;
  /** Its largest part along the rotation that the landmark network states, and the share of that rotation. */
  readonly along: number;
  readonly alongShare: number;
  /** Largest tilt of a flat object that explains the followed landmarks, and its residual. */
  readonly tilt: number;
  readonly tiltResidual: number;
  /** Smallest and largest opening of the wider eye over the frames. */
  readonly eyes?: readonly [least: number, most: number];
};

/**
 * A closed frame of straight edges around the face. Physical reason: a screen or a sheet ends in four
 * straight edges. The lower edge crosses the neck or chest, where a body has no straight edge.
 */
export type Surround = {
  /** Share of the four sides that is a straight edge (geometric mean), 0…1; 0 without a frame. */
  readonly closedFrame: number;
  /** Smallest share of three sides, the lower one included: the fourth may lie outside the image. */
  readonly openFrame: number;
  readonly corners: readonly Point[];
  /** Share of the frame with a rim of one colour beside it, 0…1; absent without a closed frame. */
  readonly rim?: number;
};
