import type { Quad } from "#imaging/image";
import type { CheckResult } from "./checks.ts";
import type { MrzFormat } from "./formats.ts";

/** How far the document lies turned in the picture, clockwise, to the nearest quarter. */
export type QuarterTurn = 0 | 90 | 180 | 270;

/** A repair: the likeliest lines whose check digits all hold. Never shown as read, never used to accept. */
export type Suggestion = { readonly lines: readonly string[]; readonly changes: number };

/** A machine readable zone as it stands in a picture. Nothing in `lines` was repaired. */
export type MrzReading = {
  readonly format: MrzFormat;
  readonly lines: readonly string[];
  /** For each character how much likelier it is than the next one that may stand there, in nats. */
  readonly margins: readonly (readonly number[])[];
  readonly weakestMargin: number;
  readonly checks: readonly CheckResult[];
  readonly checksHold: boolean;
  /** Every character is certain enough: wrong check digits are then the document's, not the reader's. */
  readonly clear: boolean;
  /** Clear, all check digits hold as read, issuer and nationality are known codes. */
  readonly accepted: boolean;
  /** Corners of the zone in the given picture, in reading order from the first character. */
  readonly quad: Quad;
  readonly turn: QuarterTurn;
  /** Pixels of the given picture from character to character; below 10 the capture should be repeated closer. */
  readonly pitchPx: number;
  readonly suggestion?: Suggestion;
};
