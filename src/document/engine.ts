import type { Box, FileFacts } from "#imaging/image";
import type { DocumentPictures } from "./read-document.ts";
import type { DocumentReading, ReadingHints } from "./reading.ts";

/**
 * The measuring part as the main thread sees it: runs in an inference thread. All fail as opening a picture does
 * (image_unreadable | image_unsupported | image_too_large) and as the pool does (engine_busy | engine_failed |
 * timed_out | shutting_down).
 */
export type DocumentEngine = {
  /** Decodes a picture whole: what passes here can be read. */
  readonly inspect: (bytes: Uint8Array, signal?: AbortSignal) => Promise<FileFacts>;
  readonly read: (
    pictures: DocumentPictures,
    hints: ReadingHints,
    signal?: AbortSignal,
  ) => Promise<DocumentReading>;
  /** Cuts a part out of an upright side of a reading, JPEG; `box` in shares of it. */
  readonly cutPart: (side: Uint8Array, box: Box, signal?: AbortSignal) => Promise<Uint8Array>;
  /** Name to SHA-256 of the networks that a reading is made with. */
  readonly models: Readonly<Record<string, string>>;
};
