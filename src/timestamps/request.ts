import { childrenOf, der, expectTag, integer, oid, readDer, sequence, smallIntegerOf, tags } from "./der.ts";
import { oids } from "./oids.ts";

/** The authority refused, or answered something else. The message is for the operator. */
export class TimestampError extends Error {
  override readonly name = "TimestampError";
}

/**
 * A TimeStampReq (RFC 3161, 2.4.1) for a SHA-256 hash. Asks for the certificates of the signer. `nonce` is random: the
 * answer must repeat it.
 */
export const writeTimestampRequest = (hash: Uint8Array, nonce: Uint8Array): Uint8Array =>
  sequence(
    integer(Uint8Array.of(1)),
    sequence(sequence(oid(oids.sha256), der(tags.null)), der(tags.octetString, hash)),
    integer(nonce),
    der(tags.boolean, Uint8Array.of(0xff)),
  );

/** PKIStatus (RFC 3161, 2.4.2): granted, grantedWithMods. */
const granted: readonly number[] = [0, 1];

/** The token of a TimeStampResp. Throws TimestampError with the authority's words where it refused. */
export const readTimestampAnswer = (bytes: Uint8Array): Uint8Array => {
  const [statusInfo, token] = readParts(bytes);
  const [status, words] = childrenOf(expectTag(statusInfo, tags.sequence));
  if (!granted.includes(smallIntegerOf(status)) || token === undefined) {
    const text = words === undefined ? "" : printable(words.content);
    throw new TimestampError(`The authority refused (status ${smallIntegerOf(status)})${text}`);
  }
  return token.bytes;
};

const readParts = (bytes: Uint8Array) => {
  try {
    return childrenOf(expectTag(readDer(bytes), tags.sequence));
  } catch (cause) {
    throw new TimestampError("The answer is no answer of a time-stamping authority", { cause });
  }
};

const wordsMax = 200;

const printable = (content: Uint8Array): string => {
  const text = Buffer.from(content)
    .toString("utf8")
    .replaceAll(/[^\x20-\x7e]+/g, " ")
    .trim();
  return text === "" ? "" : `: ${text.slice(0, wordsMax)}`;
};
