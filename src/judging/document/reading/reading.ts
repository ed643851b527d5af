import type { Box, FileFacts, Quad } from "#machine/imaging/image";
import type { Barcode } from "./barcode/barcode.ts";
import type { MrzFormat } from "./mrz/formats.ts";
import type { MarkReading } from "./ocr/read-marks.ts";
import type { TextLine } from "./ocr/text-line.ts";
import type { QuarterRotations } from "./quarter-rotations.ts";
import type { AttackMeasurement } from "./traces/measurement.ts";

/** Quality measurements of one image, before any judgement. */
export type ImageQuality = {
  /** Size of the file's image, upright. */
  readonly width: number;
  readonly height: number;
  /** Mean Laplacian over mean gradient on the strongest edges, 0…2: the narrower the edges, the higher. */
  readonly sharpness: number;
  /** Share of the card's pixels that are overexposed in all channels. */
  readonly overexposedShare: number;
  /** Mean luma of the card, 0…255. */
  readonly brightness: number;
  /** Absent for formats without a quantisation table. */
  readonly jpegQuality?: number;
};

/** Position and size of a located card. Corners outside the frame mean that the image cuts the card. */
export type CardSummary = {
  readonly score: number;
  /** In pixels of the file's image, upright; clockwise from the corner nearest to the top left. */
  readonly corners: Quad;
  /**
   * Largest distance of a corner outside the frame, as a share of the frame's shorter side; 0 when all are
   * inside.
   */
  readonly outsideShare: number;
  /**
   * Smallest distance of a corner from the frame's border, as a share of the card's longer side; negative
   * outside.
   */
  readonly marginShare: number;
  /** Size of the card in pixels of the file's image, long side first. */
  readonly longSidePx: number;
  readonly shortSidePx: number;
};

/** The MRZ of a side as it was read, unrepaired: the part of an MrzReading that decisions use. */
export type MrzSummary = {
  readonly format: MrzFormat;
  readonly lines: readonly string[];
  /** The text is reliable: all check digits are right, every character is clear, and the countries exist. */
  readonly accepted: boolean;
  /** Every character is clear. A wrong check digit is then a fault of the document. */
  readonly clear: boolean;
  /** Margin in nats of the least certain character. */
  readonly weakestMargin: number;
  /**
   * Margin around the document, derived from the position of its MRZ, as a share of the document's longer
   * side; negative when the image cuts the document. Absent when the format does not define the MRZ's
   * position.
   */
  readonly margin?: number;
};

/** The main portrait of a side. */
export type PortraitCrop = {
  /** The face with a margin around it, JPEG. */
  readonly jpeg: Uint8Array;
  readonly score: number;
  /** Face box in pixels of the upright side. */
  readonly face: Box;
  /**
   * Corners of the crop in pixels of the file's image, upright; the first one is at the top left of the face.
   */
  readonly area: Quad;
};

/** The reading of one image. */
export type SideReading = {
  readonly file: FileFacts;
  /** SHA-256 of the file, lower-case hex. */
  readonly sha256: string;
  readonly quality: ImageQuality;
  readonly card?: CardSummary;
  readonly rotations: QuarterRotations;
  readonly rotationKnownBy: "mrz" | "face" | "text" | "nothing";
  readonly mrz?: MrzSummary;
  readonly barcodes: readonly Barcode[];
  /** The printed lines of the upright side, top to bottom; empty when they were not requested. */
  readonly lines: readonly TextLine[];
  /** Readings of large or slanted text across the side; absent when traces of attacks were not requested. */
  readonly marks?: readonly MarkReading[];
  /** Faces found on the upright side, ghost portraits included. */
  readonly faces: number;
  /** Cards in the image apart from the best one, whichever was read; absent if there are none. */
  readonly otherCards?: number;
  /** Portraits in the image as large as the main one, apart from it; absent if there are none. */
  readonly otherPortraits?: number;
  readonly portrait?: PortraitCrop;
  /** The upright side, JPEG; absent when it was not requested. */
  readonly upright?: Uint8Array;
  /** Traces of attacks; absent when they were not requested. */
  readonly attack?: AttackMeasurement;
};

/** The reading of one document's images. `swapped`: the sides came in the wrong order and were exchanged. */
export type DocumentReading = {
  readonly front: SideReading;
  readonly back?: SideReading;
  readonly swapped: boolean;
  readonly ms: number;
  /** The persona of the sandbox that steers what follows from the reading. Test keys only. */
  readonly persona?: string;
};

/** Information of the caller about the document. It only steers where to search, never the result. */
export type ReadingHints = {
  readonly type?: string;
  /** Whether the traces of attacks are measured too. */
  readonly attacks?: boolean;
  /** Whether the upright sides are kept, for crops of their parts. */
  readonly upright?: boolean;
};
