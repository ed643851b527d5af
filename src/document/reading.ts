import type { Box, FileFacts } from "#imaging/image";
import type { AttackMeasurement } from "./attacks/measurement.ts";
import type { Barcode } from "./barcode/barcode.ts";
import type { MrzFormat } from "./mrz/formats.ts";
import type { TextLine } from "./text/text-line.ts";

/** Clockwise quarter turns that bring the picture's content upright. */
export type QuarterTurns = 0 | 1 | 2 | 3;

/** What the pixels of one picture tell of its worth, before any judging. */
export type PictureQuality = {
  /** Size of the file's picture, upright. */
  readonly width: number;
  readonly height: number;
  /** Mean Laplacian over mean gradient on the strongest edges, 0…2: the narrower the edges, the higher. */
  readonly sharpness: number;
  /** Share of the card's pixels that are blown out in all channels. */
  readonly overexposedShare: number;
  /** Mean luma of the card, 0…255. */
  readonly brightness: number;
  /** Absent for formats without a quantisation table. */
  readonly jpegQuality?: number;
};

/** A located card. Corners outside the frame mean that the picture cuts it. */
export type CardSighting = {
  readonly score: number;
  /** Farthest that a corner lies outside the frame, as a share of the frame's shorter side; 0 when all are inside. */
  readonly outsideShare: number;
  /** Narrowest distance of a corner from the frame's border, as a share of the card's longer side; negative outside. */
  readonly marginShare: number;
  /** Size of the card in pixels of the file's picture, long side first. */
  readonly longSidePx: number;
  readonly shortSidePx: number;
  /** Further cards in the picture, apart from this one; absent where none was seen. */
  readonly others?: number;
};

/** A machine readable zone as it was read, unrepaired. */
export type MrzSighting = {
  readonly format: MrzFormat;
  readonly lines: readonly string[];
  /** The reader vouches for the text: all digits hold, every character is clear, the countries exist. */
  readonly accepted: boolean;
  /** Every character is clear: wrong check digits are then the document's own. */
  readonly clear: boolean;
  /** Distance in nats of the least certain character to its rival. */
  readonly weakestMargin: number;
  /**
   * Ground around the document that the zone stands on, as far as its place tells, as a share of the document's longer side;
   * negative where the picture cuts it. Absent where the format does not tell the zone's place.
   */
  readonly room?: number;
};

/** The main portrait of a side. */
export type PortraitSighting = {
  /** Cut-out with some room around the face, JPEG. */
  readonly jpeg: Uint8Array;
  readonly score: number;
  /** Face box in pixels of the upright side. */
  readonly face: Box;
};

/** What one picture holds. */
export type SideReading = {
  readonly file: FileFacts;
  /** SHA-256 of the file, lower-case hex. */
  readonly sha256: string;
  readonly quality: PictureQuality;
  readonly card?: CardSighting;
  readonly turns: QuarterTurns;
  readonly turnKnownBy: "mrz" | "face" | "text" | "nothing";
  readonly mrz?: MrzSighting;
  readonly barcodes: readonly Barcode[];
  /** The printed lines of the upright side, top to bottom; none where they were not asked for. */
  readonly lines: readonly TextLine[];
  /** Faces found on the upright side, ghost portraits included. */
  readonly faces: number;
  /** Portraits in the picture as large as the main one, apart from it; absent where none was seen. */
  readonly otherPortraits?: number;
  readonly portrait?: PortraitSighting;
  /** The upright side, JPEG; absent where nobody asked for it. */
  readonly upright?: Uint8Array;
  /** Traces of attacks; absent where nobody asked for them. */
  readonly attack?: AttackMeasurement;
};

/** What the pictures of one document hold. `swapped`: they came the wrong way round and were put right. */
export type DocumentReading = {
  readonly front: SideReading;
  readonly back?: SideReading;
  readonly swapped: boolean;
  readonly ms: number;
};

/** What the caller says of the document; steers only where to look, never what is found. */
export type ReadingHints = {
  readonly type?: string;
  /** Whether the traces of attacks are measured too. */
  readonly attacks?: boolean;
  /** Whether the upright sides are kept, to cut parts out of them. */
  readonly upright?: boolean;
};
