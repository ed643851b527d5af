/** What judges an image of a document: the port. That of a face is `JudgeCapture` of face/challenge. */
import type { GuidanceCode } from "#contract/guidance";
import type { Json } from "#contract/json";

/**
 * `fail` speaks of an attack, `again` of what the person can correct. The reason goes to the record alone.
 */
export type Judged = {
  readonly result: "pass" | "again" | "fail";
  readonly reason?: string | undefined;
  readonly guidance: readonly GuidanceCode[];
  readonly measurements: Json;
  /** Model name to SHA-256 of its weights. */
  readonly models: Readonly<Record<string, string>>;
  readonly policyVersion: string;
};

/**
 * Judges an image of a document for its guidance. Fails as the reading does (image_unreadable |
 * image_unsupported | image_too_large | engine_busy).
 */
export type JudgeDocumentImage = (
  image: Uint8Array,
  asked: { readonly side: "front" | "back"; readonly type?: string | undefined },
  signal: AbortSignal,
) => Promise<Judged>;
