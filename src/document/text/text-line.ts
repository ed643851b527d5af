import type { Box } from "#imaging/image";

/** One printed line of an upright side. */
export type TextLine = {
  /** As printed, Unicode NFC. */
  readonly text: string;
  /** How sure the reader is of it, 0…1. */
  readonly confidence: number;
  /** Where it stands, as shares of the side's width and height from its top left corner. */
  readonly box: Box;
};
