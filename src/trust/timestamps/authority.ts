import { randomBytes } from "node:crypto";
import type { Egress } from "#machine/egress/egress";
import { readTimestampAnswer, TimestampError, writeTimestampRequest } from "./request.ts";
import type { Roots } from "./trust.ts";
import { type Imprint, type Stamp, verifyToken } from "./verify-token.ts";

/** A time-stamp, its token, and the host of the authority that gave it. */
export type Stamped = { readonly token: Uint8Array; readonly stamp: Stamp; readonly authority: string };

/**
 * Has a hash stamped, and verifies the answer. Fails with TimestampError for a refusal or a token that is not
 * valid, and with EgressError where the authority cannot be reached. Made by {@link makeAuthority},
 * `makeEmbeddedAuthority` (respond.ts) and `makeAuthorities` (authorities.ts).
 */
export type StampImprint = (imprint: Imprint, signal: AbortSignal) => Promise<Stamped>;

/** An authority with its name for the log: the host. */
export type Authority = { readonly name: string; readonly stamp: StampImprint };

/** Sends a TimeStampReq and gives the TimeStampResp. */
type Exchange = (request: Uint8Array, signal: AbortSignal) => Promise<Uint8Array>;

export type AuthorityOptions = {
  readonly egress: Egress;
  readonly url: string;
  /** Value of the Authorization header. */
  readonly authorization?: string | undefined;
  readonly roots: Roots;
  readonly clock: () => Date;
  /** Longest wait for the whole answer. */
  readonly answerMsMax?: number;
};

/** A token with its certificates has some 3 to 8 kB. */
const answerBytesMax = 65_536;
const nonceBytes = 8;
/**
 * The bound of each hop of a signature: a signature waits for the answer, and the next authority can give it.
 */
export const answerMsMaxDefault = 5_000;
/**
 * A stamped time further from our clock is refused: the clock of one of both is wrong. Our choice, after the
 * skew that Kerberos allows (RFC 4120, 8.2).
 */
export const skewMsMax = 5 * 60_000;

/** An authority over HTTP (RFC 3161, 3.4). */
export const makeAuthority = (options: AuthorityOptions): Authority => {
  const { host } = new URL(options.url);
  const { roots, clock } = options;
  return { name: host, stamp: verifying({ name: host, exchange: post(options, host), roots, clock }) };
};

type Verifying = Pick<AuthorityOptions, "roots" | "clock"> & {
  readonly name: string;
  readonly exchange: Exchange;
};

/** Asks an authority, and accepts only a token that answers this request. */
export const verifying =
  ({ name, exchange, roots, clock }: Verifying): StampImprint =>
  async (imprint, signal) => {
    const nonce = randomBytes(nonceBytes);
    const answer = await exchange(writeTimestampRequest(imprint, nonce), signal);
    // A copy: the token outlives the answer.
    const token = Uint8Array.from(readTimestampAnswer(answer));
    const stamp = verifyToken(token, imprint, roots);
    const refusal = "refusal" in stamp ? stamp.refusal : refusalOf(stamp, nonce, clock());
    if ("refusal" in stamp || refusal !== undefined) {
      throw new TimestampError(`${name}: ${refusal}`);
    }
    return { token, stamp, authority: name };
  };

const refusalOf = ({ nonce, at }: Stamp, asked: Uint8Array, now: Date): string | undefined => {
  if (!repeats(asked, nonce)) return "the token repeats another random number";
  return Math.abs(at - now.getTime()) > skewMsMax
    ? "the stamped time is more than five minutes from our clock"
    : undefined;
};

const post =
  (options: AuthorityOptions, host: string): Exchange =>
  async (request, signal) => {
    const { answerMsMax = answerMsMaxDefault } = options;
    const timeout = AbortSignal.timeout(answerMsMax);
    try {
      return await send(options, request, AbortSignal.any([signal, timeout]));
    } catch (cause) {
      if (!timeout.aborted) throw cause;
      throw new TimestampError(`${host} gave no answer within ${answerMsMax / 1000} s`, { cause });
    }
  };

const send = async (
  { egress, url, authorization }: AuthorityOptions,
  body: Uint8Array,
  signal: AbortSignal,
): Promise<Uint8Array> => {
  const answer = await egress(url, {
    method: "POST",
    headers: {
      "content-type": "application/timestamp-query",
      accept: "application/timestamp-reply",
      ...(authorization !== undefined && { authorization }),
    },
    body,
    bytesMax: answerBytesMax,
    keepsConnection: true,
    verifiesAnswer: true,
    signal,
  });
  const chunks: Uint8Array[] = [];
  for await (const chunk of answer.body) chunks.push(chunk);
  if (answer.status !== 200) {
    throw new TimestampError(`${new URL(url).host} answers HTTP ${answer.status}`);
  }
  return Buffer.concat(chunks);
};

/** Both are big-endian integers; leading zeros do not count. */
const repeats = (nonce: Uint8Array, found: Uint8Array | undefined): boolean =>
  found !== undefined &&
  BigInt(`0x${Buffer.from(nonce).toString("hex")}`) ===
    BigInt(`0x${Buffer.from(found).toString("hex") || "0"}`);
