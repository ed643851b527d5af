/** Clockwise quarter rotations that bring the image's content upright. */
export type QuarterRotations = 0 | 1 | 2 | 3;
