import type { DocumentReading } from "../reading/reading.ts";
import type { DocumentFields } from "./fields.ts";

/** A document's reading with its fields. */
export type ExtractedDocument = {
  readonly reading: DocumentReading;
  readonly fields: DocumentFields;
  /** JPEG; absent where it was not requested, or its place on the document is unknown. */
  readonly signature?: Uint8Array;
};
