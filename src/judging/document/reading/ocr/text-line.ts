import type { Box } from "#machine/imaging/image";

/** One printed line of an upright side. */
export type TextLine = {
  /** As printed, Unicode NFC. */
  readonly text: string;
  /** The reader's confidence, 0…1. */
  readonly confidence: number;
  /** Its position, as shares of the side's width and height from the top left corner. */
  readonly box: Box;
};
