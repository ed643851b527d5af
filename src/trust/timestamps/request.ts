import { childrenOf, type Der, expectTag, readDer, smallIntegerOf, tags } from "#trust/asn1/der";
import { oids } from "#trust/asn1/oids";
import { boolean, integer, nullValue, octetString, oid, sequence, smallInteger } from "#trust/asn1/write-der";
import type { Imprint } from "./verify-token.ts";

/** The authority refused, or answered something else. The message is for the operator. */
export class TimestampError extends Error {
  override readonly name = "TimestampError";
}

/**
 * A TimeStampReq (RFC 3161, 2.4.1). Asks for the certificates of the signer. `nonce` is random: the answer
 * must repeat it.
 */
export const writeTimestampRequest = ({ hash, digest }: Imprint, nonce: Uint8Array): Uint8Array =>
  sequence(
    smallInteger(1),
    sequence(sequence(oid(oids[hash]), nullValue), octetString(digest)),
    integer(nonce),
    boolean(true),
  );

/** PKIStatus (RFC 3161, 2.4.2): granted, grantedWithMods. */
const granted: readonly number[] = [0, 1];

/** The token of a TimeStampResp. Throws TimestampError with the authority's words where it refused. */
export const readTimestampAnswer = (bytes: Uint8Array): Uint8Array => {
  const { status, words, token } = readParts(bytes);
  if (!granted.includes(status) || token === undefined) {
    throw new TimestampError(`The authority refused (status ${status})${words === "" ? "" : `: ${words}`}`);
  }
  return token;
};

const readParts = (bytes: Uint8Array) => {
  try {
    const [statusInfo, token] = childrenOf(expectTag(readDer(bytes), tags.sequence));
    const [status, texts] = childrenOf(expectTag(statusInfo, tags.sequence));
    return { status: smallIntegerOf(status), words: wordsOf(texts), token: token?.bytes };
  } catch (cause) {
    throw new TimestampError("The answer is no answer of a time-stamping authority", { cause });
  }
};

const wordsMax = 200;

/**
 * The texts of a PKIFreeText (RFC 4210, 5.1.1) without control characters. Empty if other facts are there
 * instead.
 */
const wordsOf = (texts: Der | undefined): string =>
  (texts?.tag === tags.sequence ? childrenOf(texts) : [])
    .map((text) => Buffer.from(expectTag(text, tags.utf8String).content).toString("utf8"))
    .join("; ")
    .replaceAll(/\p{C}+/gu, " ")
    .trim()
    .slice(0, wordsMax);
