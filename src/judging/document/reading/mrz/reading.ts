import type { Quad } from "#machine/imaging/image";
import type { CheckResult } from "./checks.ts";
import type { MrzFormat } from "./formats.ts";

/** Rotation of the document in the image, clockwise, to the nearest quarter. */
export type QuarterRotation = 0 | 90 | 180 | 270;

/**
 * A suggested repair: the likeliest lines whose check digits all hold. It is never shown as read and never
 * used to accept.
 */
export type Suggestion = { readonly lines: readonly string[]; readonly changes: number };

/** An MRZ as read from an image. `lines` contain no repair. */
export type MrzReading = {
  readonly format: MrzFormat;
  readonly lines: readonly string[];
  /**
   * The margin of each character in nats: how much likelier it is than the next character that is allowed
   * there.
   */
  readonly margins: readonly (readonly number[])[];
  readonly weakestMargin: number;
  readonly checks: readonly CheckResult[];
  readonly checksHold: boolean;
  /** Every character is certain enough: wrong check digits are then the document's, not the reader's. */
  readonly clear: boolean;
  /** Clear, all check digits hold as read, issuer and nationality are known codes. */
  readonly accepted: boolean;
  /** Corners of the MRZ in the given image, in reading order from the first character. */
  readonly quad: Quad;
  readonly rotation: QuarterRotation;
  /** Pixels of the given image from character to character; below 10, repeat the capture closer. */
  readonly pitchPx: number;
  readonly suggestion?: Suggestion;
};
