import { setTimeout as sleep } from "node:timers/promises";
import { type Egress, EgressError, type EgressReason } from "#machine/egress/egress";
import { CommandError } from "../command.ts";
import type { Answer } from "./compare-answers.ts";
import { parseJson } from "./json.ts";
import type { FilledRequest } from "./placeholders.ts";

/** The longest answer that is read: a face crop and an open image in Base64 are far shorter. */
const answerBytesMax = 64 * 1024 ** 2;

/** A service that is busy is asked this often again, as it says, but never after longer waits. */
const [busyRetries, busySecondsMax] = [3, 60];

/**
 * An answer, or the reason why there is none, in words without a personal value. `isSilent`: whether the
 * service gave no answer at all; absent where nothing was sent.
 */
export type Sent =
  | {
      readonly kind: "answered";
      readonly answer: Answer;
      /** Whether the service took the request for a retry, and gave the stored answer of an earlier one. */
      readonly isStored?: boolean;
    }
  | { readonly kind: "failed"; readonly reason: string; readonly isSilent?: boolean };

export type Send = (request: FilledRequest) => Promise<Sent>;

export type SenderOptions = {
  readonly egress: Egress;
  /** Without a slash at its end. */
  readonly url: string;
  readonly key: string;
  readonly timeoutMs: number;
  /** Least time between the starts of two calls. */
  readonly pauseMs: number;
};

/** Sends requests to one service, one at a time. */
export const makeSend = ({ egress, url, key, timeoutMs, pauseMs }: SenderOptions): Send => {
  let nextAt = 0;
  const once = async (request: FilledRequest): Promise<Sent & { readonly retryAfter?: number }> => {
    await sleep(Math.max(0, nextAt - performance.now()));
    nextAt = performance.now() + pauseMs;
    const { method, path, headers, body } = request;
    const signal = AbortSignal.timeout(timeoutMs);
    try {
      const {
        status,
        headers: answered,
        body: parts,
      } = await egress(`${url}${path}`, {
        method,
        headers: {
          ...headers,
          "x-api-key": key,
          ...(body !== undefined && { "content-type": "application/json" }),
        },
        ...(body !== undefined && { body: Buffer.from(JSON.stringify(body)) }),
        bytesMax: answerBytesMax,
        headMsMax: timeoutMs,
        signal,
      });
      const answer = {
        status,
        body: parseJson(new TextDecoder().decode(Buffer.concat(await Array.fromAsync(parts)))),
      };
      const isStored = answered["idempotent-replayed"] === "true";
      return { kind: "answered", answer, isStored, ...retryAfter(status, answered["retry-after"]) };
    } catch (error) {
      return { kind: "failed", reason: reasonOf(error, signal), isSilent: true };
    }
  };
  return async (request) => {
    let sent = await once(request);
    for (let retry = 0; retry < busyRetries && sent.retryAfter !== undefined; retry++) {
      await sleep(sent.retryAfter * 1000);
      sent = await once(request);
    }
    return sent;
  };
};

/** Seconds to wait before the call is sent again; none unless the service is busy and says when. */
export const retryAfter = (status: number, header: string | undefined): { readonly retryAfter?: number } => {
  const isBusy = (status === 429 || status === 503) && header !== undefined && /^\d{1,9}$/.test(header);
  return isBusy && Number(header) <= busySecondsMax ? { retryAfter: Number(header) } : {};
};

/** Reasons that may end with the next call. */
const words = {
  url_refused: undefined,
  address_refused: undefined,
  redirect_refused: "it redirects",
  unreachable: "it cannot be reached",
  timed_out: "it did not answer in time",
  too_long: "its answer is too long",
  cut: "its answer broke off",
  interrupted: "the thread of outgoing calls ended",
} satisfies Readonly<Record<EgressReason, string | undefined>>;

/** Rethrows a defect of this program. Throws CommandError for an address that no call may go to. */
const reasonOf = (error: unknown, signal: AbortSignal): string => {
  if (signal.aborted) return words.timed_out;
  if (!(error instanceof EgressError)) throw error;
  // The message names the host and the cause, such as a port without a listener.
  const why = error.reason === "unreachable" ? error.message : words[error.reason];
  if (why === undefined) throw new CommandError(error.message, { cause: error });
  return why;
};
