import type { Facts, FailureCode } from "#contract/failure";
import type { Box, FileFacts, Point, Quad } from "#machine/imaging/image";
import type { EyewearOdds } from "./attributes/eyewear-probe.ts";
import type { Background } from "./engine/background.ts";
import type { Pose } from "./engine/pose.ts";
import type { FaceQuality } from "./engine/quality.ts";
import type { Compression, LightRange, Moire, Motion, Surround } from "./liveness/cues/measured-cues.ts";

/** The parts of a measurement that a caller needs; other parts are not computed. */
export type Wanted = {
  readonly template?: boolean;
  readonly liveness?: boolean;
  readonly attributes?: boolean;
  /** The landmarks themselves, for a drawing. They describe the person's face: no record keeps them. */
  readonly mesh?: boolean;
  /**
   * The bytes belong to a best-image token, which may hold several frames (frames.ts). Otherwise they are one
   * image.
   */
  readonly frames?: boolean;
  /**
   * The part of the image that is measured, as corners in pixels of the file's image, upright: the portrait
   * of a document. Faces beside it do not count. Absent for the whole image.
   */
  readonly area?: Quad;
};

/**
 * The subject of an image: its widest face, or a face nearly as wide and nearer to the middle. Lengths are
 * pixels of the decoded image.
 */
export type MeasuredFace = {
  /** Detector's score, 0…1. */
  readonly confidence: number;
  /** The mesh network's probability of a face, 0…1: low on a full profile and on objects. */
  readonly presence: number;
  /** Box around the landmarks: ear to ear, hairline to chin. */
  readonly box: Box;
  readonly pose: Pose;
  /**
   * IED (interocular distance): between the pupils if the iris network ran, else between the eyes' centres.
   */
  readonly eyeDistancePx: number;
  /** Opening of the right and left eye over their width; absent if the iris network did not run. */
  readonly eyeOpenness?: readonly [number, number];
  readonly quality: FaceQuality;
  /** Share of the landmarks beyond the image border, 0…1. */
  readonly outsideShare: number;
  /** Gap between the lips over the distance from the eyes to the chin. */
  readonly mouthOpenness: number;
  /** Nearest distance of the box to the image border, in face widths; negative if it crosses the border. */
  readonly borderMargin: number;
  /** Signature of the aligned view, to recognise the same image. */
  readonly fingerprint: string;
  /** 468 landmarks of FaceMesh's topology; absent if not requested. */
  readonly mesh?: readonly Point[];
};

/** The score of a liveness network added by the operator, for one whole image. */
export type NetworkLiveness = {
  /** 0 attack … 1 live, as defined by the network. */
  readonly live: number;
};

/** Why a network gave no score. */
export type MissingScoreReason = "face-too-large" | "no-number";

/** The liveness cues beyond the face itself. A cue that could not be measured is absent. */
export type LivenessCues = {
  readonly surround?: Surround;
  readonly moire?: Moire;
  readonly compression?: Compression;
  /** The motion between the frames, if the token had several. */
  readonly motion?: Motion;
  readonly light: LightRange;
  readonly network?: NetworkLiveness;
  /**
   * Why an active network gave no score: the face is too large in the frame, or the output was not a number.
   * Stored key: earlier releases wrote it.
   */
  readonly networkSilence?: MissingScoreReason;
};

/** Estimates from faceres' heads and from its descriptor. */
export type FaceAttributes = {
  readonly ageYears: number;
  /** 0 female … 1 male. */
  readonly maleness: number;
  /** Absent without a probe. */
  readonly eyewear?: EyewearOdds;
};

export type ShadowLiveness = NetworkLiveness & {
  /** Model name to SHA-256. */
  readonly models: Readonly<Record<string, string>>;
};

export type MeasuredImage = {
  readonly kind: "measured";
  /** Facts of the file, width and height of the decoded image, and decoded pixels per file pixel. */
  readonly file: FileFacts;
  readonly width: number;
  readonly height: number;
  readonly scale: number;
  /**
   * Face-size ratios: the width of every face over that of the subject. The subject's 1 is first, then the
   * others, widest first.
   */
  readonly faceWidths: readonly number[];
  readonly face?: MeasuredFace;
  /** Packed template; absent if not requested or without a face. */
  readonly template?: Uint8Array;
  readonly cues?: LivenessCues;
  /** The score of a liveness model in shadow mode; it decides nothing. */
  readonly shadow?: ShadowLiveness;
  readonly attributes?: FaceAttributes;
  readonly background?: Background;
  /** The persona of the sandbox that steered this measurement; absent for a measured one. Test keys only. */
  readonly persona?: string;
  /** Model name to SHA-256 of the weights that contributed to this measurement. */
  readonly models: Readonly<Record<string, string>>;
};

/**
 * An image without a measurement: `unreadable` if the file is not an image within the limits, `unprepared` if
 * it was decoded but is too small or too narrow to be searched.
 */
export type FailedImage = {
  readonly kind: "unreadable" | "unprepared";
  readonly code: Extract<FailureCode, "image_unreadable" | "image_unsupported" | "image_too_large">;
  /** Facts of the file: format, size, limits. */
  readonly facts?: Facts;
};

/** Plain values only: it crosses from the worker thread by structured clone. */
export type FaceMeasurement = MeasuredImage | FailedImage;

/** Measures one encoded image. Rejects with engine_busy when the queue is full. */
export type MeasureFace = (bytes: Uint8Array, wanted: Wanted) => Promise<FaceMeasurement>;

/** The measuring engine as the main thread sees it, through the pool. */
export type FaceEngine = {
  /** Leaves the queue when `signal` aborts. */
  readonly measure: (bytes: Uint8Array, wanted: Wanted, signal?: AbortSignal) => Promise<FaceMeasurement>;
};
