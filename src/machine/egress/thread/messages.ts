/** The messages between the thread that answers callers and the thread of outgoing calls. */
import type { EgressAnswer, EgressCall, EgressReason, Exchange } from "../egress.ts";

/** A call without its signal, which cannot leave its thread: `leave` takes its place. */
export type SentCall = Omit<EgressCall, "signal">;

export type Ask =
  | { readonly kind: "call"; readonly id: number; readonly url: string; readonly call: SentCall }
  /** The caller has taken a batch: the next one may come. */
  | { readonly kind: "more"; readonly id: number }
  /** The caller wants no more of it. No message about this call follows. */
  | { readonly kind: "leave"; readonly id: number }
  /** Asks for a sign of life: `pong`. */
  | { readonly kind: "ping" };

export type Head = Pick<EgressAnswer, "status" | "headers" | "source" | "exchange">;

/** A cause by its words and its code: other parts of an error may not be copied. */
export type SentCause = { readonly message: string; readonly code?: string };

export type Reply =
  | CallReply
  /** The thread takes calls. */
  | { readonly kind: "ready" }
  | { readonly kind: "pong" };

export type CallReply =
  | { readonly kind: "head"; readonly id: number; readonly head: Head }
  | {
      readonly kind: "batch";
      readonly id: number;
      readonly bytes: Uint8Array<ArrayBuffer>;
      readonly isLast: boolean;
    }
  | {
      readonly kind: "failed";
      readonly id: number;
      readonly reason: EgressReason;
      readonly message: string;
      readonly exchange?: Exchange;
      readonly cause?: SentCause;
    }
  /** A defect of this program. */
  | { readonly kind: "broken"; readonly id: number; readonly message: string };

/** The batch with which a call ends, or its failure. */
export const isLastReply = (reply: CallReply): boolean =>
  reply.kind === "failed" || reply.kind === "broken" || (reply.kind === "batch" && reply.isLast);

/** Bytes that no other object shares, so that a message moves them and copies no pool of buffers. */
export const ownBytesOf = (bytes: Uint8Array): Uint8Array<ArrayBuffer> => Uint8Array.from(bytes);
