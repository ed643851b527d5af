import type { Facts, FailureCode } from "#contract/failure";
import type { Box, FileFacts } from "#imaging/image";
import type { EyewearOdds } from "./attributes/eyewear-probe.ts";
import type { Background } from "./engine/background.ts";
import type { Pose } from "./engine/pose.ts";
import type { FaceQuality } from "./engine/quality.ts";
import type { Compression } from "./liveness/cues/compression.ts";
import type { LightRange } from "./liveness/cues/light.ts";
import type { Moire } from "./liveness/cues/moire.ts";
import type { Motion } from "./liveness/cues/motion.ts";
import type { Surround } from "./liveness/cues/surround.ts";

/** What a caller of the engine needs; what is not wanted is not computed. */
export type Wanted = {
  readonly template?: boolean;
  readonly liveness?: boolean;
  readonly attributes?: boolean;
  /** The bytes are a best-image token's, which may hold several frames (frames.ts); anything else is one picture. */
  readonly frames?: boolean;
};

/** The subject of a picture: its widest face, or one nearly as wide nearer to the middle. Lengths are pixels of the picture as decoded. */
export type MeasuredFace = {
  /** Detector's score, 0…1. */
  readonly confidence: number;
  /** The mesh network's belief that this is a face, 0…1: low on a full profile and on things. */
  readonly presence: number;
  /** Box around the landmarks: ear to ear, hairline to chin. */
  readonly box: Box;
  readonly pose: Pose;
  /** Between the pupils where the iris network ran, else between the eyes' centres. */
  readonly eyeDistancePx: number;
  /** Opening of the right and left eye over their width; absent when the iris network did not run. */
  readonly eyeOpenness?: readonly [number, number];
  readonly quality: FaceQuality;
  /** Share of the landmarks that lie outside the picture, 0…1. */
  readonly outsideShare: number;
  /** Gap between the lips over the distance from the eyes to the chin. */
  readonly mouthOpenness: number;
  /** Nearest distance of the box to the picture's border, in face widths; negative when it reaches out. */
  readonly borderMargin: number;
  /** Signature of the aligned view, to know a picture again. */
  readonly fingerprint: string;
};

/** What a liveness network that the operator added says of one whole picture. */
export type NetworkLiveness = {
  /** 0 attack … 1 live, as the network means it. */
  readonly live: number;
};

export type NetworkSilence = "face-too-large" | "no-number";

/** What liveness looks at beside the face itself. A cue that could not be measured is absent. */
export type LivenessCues = {
  readonly surround?: Surround;
  readonly moire?: Moire;
  readonly compression?: Compression;
  /** What moved between the frames, where the token carried several. */
  readonly motion?: Motion;
  readonly light: LightRange;
  readonly network?: NetworkLiveness;
  /** Why a network that is in force said nothing: the face is too large in the frame to be shown to it, or it gave no number. */
  readonly networkSilence?: NetworkSilence;
};

/** Estimates from faceres' heads and from its descriptor. */
export type FaceAttributes = {
  readonly ageYears: number;
  /** 0 female … 1 male. */
  readonly maleness: number;
  /** Absent where no probe was at hand. */
  readonly eyewear?: EyewearOdds;
};

export type ShadowLiveness = NetworkLiveness & {
  /** Model name to SHA-256. */
  readonly models: Readonly<Record<string, string>>;
};

export type MeasuredPicture = {
  readonly kind: "measured";
  /** Facts of the file, width and height of what was decoded from it, and decoded pixels per file pixel. */
  readonly file: FileFacts;
  readonly width: number;
  readonly height: number;
  readonly scale: number;
  /** Width of every face over that of the subject: the subject's 1 first, then the others, widest first. */
  readonly faceWidths: readonly number[];
  readonly face?: MeasuredFace;
  /** Packed template; absent when not wanted or when there is no face. */
  readonly template?: Uint8Array;
  readonly cues?: LivenessCues;
  /** What a liveness model that only looks on says; nothing is decided by it. */
  readonly shadow?: ShadowLiveness;
  readonly attributes?: FaceAttributes;
  readonly background?: Background;
  /** Model name to SHA-256 of the weights that had a part in this measurement. */
  readonly models: Readonly<Record<string, string>>;
};

/**
 * A picture that gave no measurement: `unreadable` when the file is no picture within the limits, `unprepared`
 * when it was decoded but is too small or too narrow to be searched.
 */
export type FailedPicture = {
  readonly kind: "unreadable" | "unprepared";
  readonly code: Extract<FailureCode, "image_unreadable" | "image_unsupported" | "image_too_large">;
  /** What was found in the file: format, size, limits. */
  readonly facts?: Facts;
};

/** Plain values only: it crosses from the worker thread by structured clone. */
export type FaceMeasurement = MeasuredPicture | FailedPicture;

/** Measures one encoded picture. Rejects with engine_busy when the queue is full. */
export type MeasureFace = (bytes: Uint8Array, wanted: Wanted) => Promise<FaceMeasurement>;

/** The measuring as the main thread sees it: through the pool. */
export type FaceEngine = {
  /** Leaves the queue when `signal` aborts. */
  readonly measure: (bytes: Uint8Array, wanted: Wanted, signal?: AbortSignal) => Promise<FaceMeasurement>;
};
