import type { Egress, EgressAnswer } from "#machine/egress/egress";
import type { Destination } from "../destinations/destination.ts";
import { isEgressError, isInterrupted, outcomeOf, reasonOf } from "./egress-failure.ts";
import { headersOf } from "./message-headers.ts";
import { readStart } from "./read-start.ts";
import { retryAfterOf } from "./retry-after.ts";
import type { Message, Send, SendResult, SignMessage } from "./send.ts";
import type { AccessToken, OAuthDestination, TakeToken } from "./token.ts";

export type SendDeps = {
  readonly egress: Egress;
  readonly sign: SignMessage;
  readonly takeToken: TakeToken;
};

/** One attempt: its limits and the clock of its whole time. */
type Attempt = {
  readonly destination: Destination;
  readonly message: Message;
  readonly signal: AbortSignal | undefined;
  readonly msSpent: () => number;
  readonly msLeft: () => number;
};

export const makeSend =
  (deps: SendDeps): Send =>
  async (destination, message, signal) => {
    const startedMs = performance.now();
    const msSpent = (): number => performance.now() - startedMs;
    // Even when no time is left a call needs some, so that its error is that of an ended time.
    const msLeft = (): number => Math.max(1, destination.timeoutMs - msSpent());
    const attempt = { destination, message, signal, msSpent, msLeft };
    return isOAuth(destination) ? await sendWithToken(deps, attempt, destination) : await post(deps, attempt);
  };

const isOAuth = (destination: Destination): destination is OAuthDestination =>
  destination.auth.kind === "oauth2";

/** A receiver that refuses a token (401) gets the message once more with a new token. */
const sendWithToken = async (
  deps: SendDeps,
  attempt: Attempt,
  destination: OAuthDestination,
): Promise<SendResult> => {
  const first = await take(deps, attempt, destination);
  if ("outcome" in first) return first;
  const result = await post(deps, attempt, first);
  if (result.status !== 401) return result;
  const renewed = await take(deps, attempt, destination, first);
  if ("outcome" in renewed) return renewed;
  const again = await post(deps, attempt, renewed);
  return { ...again, timings: { ...again.timings, totalMs: attempt.msSpent() } };
};

const take = async (
  { takeToken }: SendDeps,
  { signal, msSpent, msLeft }: Attempt,
  destination: OAuthDestination,
  refused?: AccessToken,
): Promise<AccessToken | SendResult> => {
  const taken = await takeToken(destination, {
    msMax: msLeft(),
    ...(signal && { signal }),
    ...(refused && { refused }),
  });
  if ("value" in taken) return taken;
  return {
    outcome: "token_failed",
    ...(taken.status !== undefined && { status: taken.status }),
    reason: taken.reason,
    timings: { totalMs: msSpent() },
  };
};

const post = async (deps: SendDeps, attempt: Attempt, token?: AccessToken): Promise<SendResult> => {
  const { destination, message, signal, msSpent, msLeft } = attempt;
  const headers = headersOf(destination, message, deps.sign, token?.value);
  try {
    const answer = await deps.egress(destination.url, {
      method: "POST",
      headers,
      body: Buffer.from(message.body, "utf8"),
      // Its start alone is read.
      bytesMax: Number.MAX_SAFE_INTEGER,
      headMsMax: msLeft(),
      silenceMsMax: msLeft(),
      keepsConnection: true,
      ...(signal && { signal }),
    });
    return await resultOf(answer, attempt);
  } catch (error) {
    signal?.throwIfAborted();
    if (!isEgressError(error) || isInterrupted(error)) throw error;
    const { address, ...steps } = error.exchange ?? {};
    return {
      outcome: outcomeOf(error),
      reason: reasonOf(error, destination.url),
      ...(address !== undefined && { address }),
      timings: { ...steps, totalMs: msSpent() },
    };
  }
};

/**
 * The head decides, and a receiver that stalls within its answer has taken the message. One that breaks off
 * an accepting answer may have died over the message: it gets it again.
 */
const resultOf = async (answer: EgressAnswer, { message, msLeft, msSpent }: Attempt): Promise<SendResult> => {
  const { status, headers, exchange } = answer;
  const { address, ...steps } = exchange;
  const { bytes, brokenOff } = await readStart(answer, msLeft());
  const isAccepted = status >= 200 && status < 300;
  const retryAfterMs = retryAfterOf(status, headers, message.at);
  return {
    outcome: !isAccepted ? "refused" : brokenOff === undefined ? "delivered" : "unreachable",
    status,
    ...(retryAfterMs !== undefined && { retryAfterMs }),
    ...(address !== undefined && { address }),
    timings: { ...steps, totalMs: msSpent() },
    ...(bytes.length > 0 && { answer: bytes }),
    ...(isAccepted && brokenOff !== undefined && { reason: brokenOff }),
  };
};
