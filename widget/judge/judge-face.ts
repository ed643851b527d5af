import type { GuidanceCode } from "#contract/guidance";
import type { Face } from "../detector/find-faces.ts";
import type { LightFacts } from "./frame-facts.ts";
import type { HeadPose } from "./pose.ts";

/** What a worker measured in one frame; lengths are shares of the frame's short side. */
export type FaceFacts = {
  readonly faces: number;
  /** Of the widest face; absent without one. */
  readonly face?: {
    readonly width: number;
    /** Centre of the face less that of the frame: right and down in the frame as it is sent, not mirrored. */
    readonly right: number;
    readonly down: number;
    readonly pose: HeadPose;
    readonly light: LightFacts;
    readonly sharpness: number;
    /** Mean change of the face since the frame before. */
    readonly change: number;
  };
  /** Median brightness of the whole frame. */
  readonly frameMedian: number;
};

/**
 * Bounds of a face that may be captured. A face in front of the camera at arm's length has a third of the
 * short side.
 */
export const facePolicy = {
  /** Shares of the short side: both directions have a bound, so that none is asked for ever. */
  widthMin: 0.25,
  widthMax: 0.5,
  /** Distance of the centres, as a share of the short side. */
  offCentreMax: 0.15,
  yawMax: 15,
  pitchMax: 18,
  rollMax: 15,
  /** Median brightness of the face: the bounds of the service's own quality check are wider. */
  darkMedian: 50,
  brightMedian: 210,
  burntShareMax: 0.05,
  /** Below this the eyes' edges are gone: a sharp face has .05 to .5 (judge-face.test.ts). */
  sharpnessMin: 0.012,
  /**
   * Grey levels: noise of a still camera changes a frame by one to three, a step of the head by eight and
   * more.
   */
  changeMax: 7,
} as const;

export type FacePolicy = { readonly [Name in keyof typeof facePolicy]: number };

/** The first fault in the order in which a person can mend it; undefined: the frame may be captured. */
export const judgeFace = (facts: FaceFacts, policy: FacePolicy = facePolicy): GuidanceCode | undefined => {
  const { face } = facts;
  if (face === undefined) return facts.frameMedian < policy.darkMedian / 2 ? "too_dark" : "no_face";
  if (facts.faces > 1) return "many_faces";
  if (face.width < policy.widthMin) return "closer";
  if (face.width > policy.widthMax) return "further";
  if (Math.hypot(face.right, face.down) > policy.offCentreMax) return "center";
  const { yaw, pitch, roll } = face.pose;
  const isAside =
    Math.abs(yaw) > policy.yawMax || Math.abs(pitch) > policy.pitchMax || Math.abs(roll) > policy.rollMax;
  if (isAside) return "turn_less";
  if (face.light.median < policy.darkMedian) return "too_dark";
  if (face.light.median > policy.brightMedian || face.light.burntShare > policy.burntShareMax)
    return "too_bright";
  return face.change > policy.changeMax || face.sharpness < policy.sharpnessMin ? "hold_still" : undefined;
};

/** Where a face that is not in the middle should go, as the person sees it in a mirrored view. */
export type Direction = "moveLeft" | "moveRight" | "moveUp" | "moveDown";

/** The larger of both distances decides. The frame's right is the person's left. */
export const directionOf = ({
  right,
  down,
}: {
  readonly right: number;
  readonly down: number;
}): Direction => {
  if (Math.abs(right) >= Math.abs(down)) return right > 0 ? "moveRight" : "moveLeft";
  return down > 0 ? "moveUp" : "moveDown";
};

/** Faces that count: a second one much smaller than the widest is a bystander far behind or a poster. */
export const countFaces = (faces: readonly Face[]): number =>
  faces.filter(({ width }) => width >= 0.5 * (faces[0]?.width ?? 0)).length;
