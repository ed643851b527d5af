import type { Box, FileFacts } from "#machine/imaging/image";
import type { DocumentImages } from "./read-document.ts";
import type { DocumentReading, ReadingHints } from "./reading.ts";

/**
 * The document engine as the main thread calls it; it runs in an inference thread. Every call can fail like
 * opening an image (image_unreadable | image_unsupported | image_too_large) and like the pool (engine_busy |
 * engine_failed | timed_out | shutting_down).
 */
export type DocumentEngine = {
  /** Decodes a whole image: an image that passes here can be read. */
  readonly inspect: (bytes: Uint8Array, signal?: AbortSignal) => Promise<FileFacts>;
  readonly read: (
    images: DocumentImages,
    hints: ReadingHints,
    signal?: AbortSignal,
  ) => Promise<DocumentReading>;
  /** Crops a part of an upright side of a reading, as JPEG; `box` in shares of the side. */
  readonly cutPart: (side: Uint8Array, box: Box, signal?: AbortSignal) => Promise<Uint8Array>;
  /** Name to SHA-256 of the networks that make a reading. */
  readonly models: Readonly<Record<string, string>>;
};
