import type { Destination } from "../destinations/destination.ts";

/** One message as it is sent. Its id is the same in every attempt. */
export type Message = {
  readonly id: string;
  /** Time of this attempt, which the signature covers. */
  readonly at: Date;
  readonly body: string;
  readonly contentType: string;
};

/**
 * Signs a message with every secret, the current one first. Implemented by `signStandardWebhook` (events).
 */
export type SignMessage = (
  message: { readonly id: string; readonly timestamp: Date; readonly body: string },
  secrets: readonly string[],
) => Readonly<Record<string, string>>;

/**
 * How an attempt ended. `refused`: a status that is not 2xx. `unreachable`: no answer, or a 2xx whose body
 * broke off. `token_failed`: no token of the OAuth server; `status` is then its answer. `blocked`: the rules
 * of outgoing calls forbid the URL or its address.
 */
export type AttemptOutcome =
  | "delivered"
  | "refused"
  | "unreachable"
  | "timed_out"
  | "token_failed"
  | "blocked";

/**
 * Milliseconds from the start of the exchange. If absent, not reached, or the connection was kept from an
 * earlier exchange.
 */
export type ExchangeTimings = {
  /** The name is resolved. */
  readonly dnsMs?: number;
  /** The TCP connection is open. */
  readonly connectMs?: number;
  /** The TLS connection is open. */
  readonly tlsMs?: number;
  /** The head of the answer is here. */
  readonly firstByteMs?: number;
  /** The whole attempt, a token call and a repetition included. */
  readonly totalMs: number;
};

export type SendResult = {
  readonly outcome: AttemptOutcome;
  readonly status?: number;
  /** The receiver's `Retry-After`, of a status 429 or 503. */
  readonly retryAfterMs?: number;
  /** The address of the connected socket. */
  readonly address?: string;
  readonly timings: ExchangeTimings;
  /** The first 16 KiB of the answer's body. It may hold personal data: store it sealed. */
  readonly answer?: Uint8Array;
  /** The cause of a failure in plain words, without a secret, a query or a body. */
  readonly reason?: string;
};

/**
 * Sends one message to a destination, once: with its headers, its credentials and its signatures. Rejects
 * only when `signal` aborts, and where this service interrupts the call (egress-failure.ts). Made by
 * `makeSend` (make-send.ts).
 */
export type Send = (destination: Destination, message: Message, signal?: AbortSignal) => Promise<SendResult>;
