/**
 * Components of the quality of a face image that this service measures, under the names of ISO/IEC
 * 29794-5:2025, 7.3 and 7.4. Each goes from 0 (bad) to 100 (good).
 */
export const faceQualityComponents = [
  "singleFacePresent",
  "interEyeDistance",
  "headSize",
  "cropOfTheFace",
  "headPoseYaw",
  "headPosePitch",
  "headPoseRoll",
  "eyesOpen",
  "eyesVisible",
  "mouthClosed",
  "mouthOcclusionPrevention",
  "illuminationUniformity",
  "underExposurePrevention",
  "overExposurePrevention",
  "dynamicRange",
  "sharpness",
  "compressionArtifacts",
  "backgroundUniformity",
] as const;

export type FaceQualityComponent = (typeof faceQualityComponents)[number];
