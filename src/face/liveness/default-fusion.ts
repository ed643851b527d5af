import type { Fusion } from "./fusion.ts";

/**
 * Offset and scales of the deciding cues as `idem train liveness` fits them on 735 drawn frames (docs/measurements.md,
 * Liveness). The weak cues keep their own judges' weight: how dark, colourful and sharp the drawings are was our own
 * choice, and the fit would learn it (poor-colour 2.6, even-focus 2.7).
 */
export const defaultFusion: Fusion = {
  name: "drawn-1",
  offset: -1.7,
  scales: {
    "frame-around-face": 1.08,
    "open-frame-around-face": 0.86,
    "rim-around-frame": 1.49,
    moire: 1.86,
  },
};
