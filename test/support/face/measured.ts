import type { LivenessCues, MeasuredFace, MeasuredImage } from "#judging/face/measurement";

/** A frontal face in good light, as the engine measures it. */
export const goodFace: MeasuredFace = {
  confidence: 0.95,
  presence: 1,
  box: { x: 200, y: 150, width: 240, height: 300 },
  pose: { yawDegrees: 2, pitchDegrees: -3, rollDegrees: 1 },
  eyeDistancePx: 110,
  eyeOpenness: [0.22, 0.23],
  quality: {
    sharpness: 0.2,
    brightness: 140,
    contrast: 40,
    blownOut: 0,
    blackedOut: 0,
    lightOverlap: 0.8,
    dynamicRangeBits: 7,
    lightImbalance: 0.05,
    lowerFaceChroma: 6,
    eyeToSkin: 0.6,
  },
  mouthOpenness: 0.02,
  outsideShare: 0,
  borderMargin: 0.4,
  fingerprint: "00".repeat(32),
};

/** Cues of a camera image without any trace of an attack. */
export const plainCues: LivenessCues = {
  surround: { closedFrame: 0, openFrame: 0, corners: [] },
  moire: { peakDecibels: 5, periodPx: 3 },
  light: { blackLevel: 20, blownOut: 0, faceChroma: 60, focusRatio: 2 },
};

/** The measurement of an image that passes every check of liveness and of a comparison. */
export const goodImage: MeasuredImage = {
  kind: "measured",
  file: { format: "jpeg", bytes: 90_000, width: 720, height: 576, hasExif: false },
  width: 720,
  height: 576,
  scale: 1,
  faceWidths: [1],
  face: goodFace,
  cues: plainCues,
  models: {},
};

/** The good image with another face. */
export const withFace = (change: Partial<MeasuredFace>): MeasuredImage => ({
  ...goodImage,
  face: { ...goodFace, ...change },
});

/** The good image with another quality of the face. */
export const withQuality = (change: Partial<MeasuredFace["quality"]>): MeasuredImage =>
  withFace({ quality: { ...goodFace.quality, ...change } });

/** The good image with other cues. */
export const withCues = (change: Partial<LivenessCues>): MeasuredImage => ({
  ...goodImage,
  cues: { ...plainCues, ...change },
});
