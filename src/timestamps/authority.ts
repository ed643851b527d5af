import { randomBytes } from "node:crypto";
import type { Egress } from "#egress/egress";
import { readTimestampAnswer, TimestampError, writeTimestampRequest } from "./request.ts";
import type { Roots } from "./trust.ts";
import { type Stamp, verifyToken } from "./verify-token.ts";

/** A time-stamp and its token. */
export type Stamped = { readonly token: Uint8Array; readonly stamp: Stamp };

/**
 * Has a SHA-256 hash (hex) stamped, and verifies the answer. Fails with TimestampError for a refusal or a token that
 * is not valid, and with EgressError where the authority cannot be reached. Made by {@link makeAuthority}.
 */
export type StampHash = (hash: string, signal: AbortSignal) => Promise<Stamped>;

export type AuthorityOptions = {
  readonly egress: Egress;
  readonly url: string;
  /** Value of the Authorization header. */
  readonly authorization?: string | undefined;
  readonly roots: Roots;
};

/** A token with its certificates has some 3 to 8 kB. */
const answerBytesMax = 65_536;
const nonceBytes = 8;
const answerMsMax = 30_000;

export const makeAuthority =
  ({ egress, url, authorization, roots }: AuthorityOptions): StampHash =>
  async (hash, signal) => {
    const nonce = randomBytes(nonceBytes);
    const { host } = new URL(url);
    const answer = await egress(url, {
      method: "POST",
      headers: {
        "content-type": "application/timestamp-query",
        accept: "application/timestamp-reply",
        ...(authorization !== undefined && { authorization }),
      },
      body: writeTimestampRequest(Buffer.from(hash, "hex"), nonce),
      bytesMax: answerBytesMax,
      headMsMax: answerMsMax,
      silenceMsMax: answerMsMax,
      signal: AbortSignal.any([signal, AbortSignal.timeout(2 * answerMsMax)]),
    });
    const chunks: Uint8Array[] = [];
    for await (const chunk of answer.body) chunks.push(chunk);
    if (answer.status !== 200) {
      throw new TimestampError(`${host} answers HTTP ${answer.status}`);
    }
    // A copy: the token outlives the answer.
    const token = Uint8Array.from(readTimestampAnswer(Buffer.concat(chunks)));
    const stamp = verifyToken(token, hash, roots);
    if ("refusal" in stamp) {
      throw new TimestampError(`${host}: ${stamp.refusal}`);
    }
    if (!repeats(nonce, stamp.nonce)) {
      throw new TimestampError(`${host}: the token repeats another random number`);
    }
    return { token, stamp };
  };

/** Both are big-endian integers; leading zeros do not count. */
const repeats = (nonce: Uint8Array, found: Uint8Array | undefined): boolean =>
  found !== undefined &&
  BigInt(`0x${Buffer.from(nonce).toString("hex")}`) ===
    BigInt(`0x${Buffer.from(found).toString("hex") || "0"}`);
