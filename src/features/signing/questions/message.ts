import type { Facts, FailureCode } from "#contract/failure";
import type { HashName, ValidationQuestion } from "#trust/revocation/ports";

/** What a signing thread can ask of the main thread. */
export type Question =
  | { readonly kind: "sign"; readonly message: Uint8Array }
  | { readonly kind: "stamp"; readonly hash: HashName; readonly digest: Uint8Array }
  | { readonly kind: "fetch"; readonly validation: ValidationQuestion };

/**
 * A message of the thread. `begun` is the first one: from then on its computing time counts. `thread` is the
 * system's number of the thread, by which its processor time is read.
 */
export type ThreadMessage =
  | { readonly kind: "begun"; readonly thread?: string }
  | { readonly kind: "asked"; readonly id: number; readonly question: Question };

/** The answer to a question. A Failure travels as its code, facts and cause. */
export type AnswerMessage = { readonly id: number } & (
  | { readonly kind: "done"; readonly bytes: Uint8Array | undefined }
  | { readonly kind: "failed"; readonly code: FailureCode; readonly facts: Facts; readonly cause?: string }
  | { readonly kind: "threw"; readonly words: string }
);
