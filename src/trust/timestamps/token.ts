import {
  childrenWithTag,
  DerError,
  expectTag,
  oidOf,
  readDer,
  smallIntegerOf,
  tags,
  timeOf,
} from "#trust/asn1/der";
import { oids } from "#trust/asn1/oids";
import { type CmsSignature, readSignedData } from "#trust/asn1/signed-data";

/** The stamped facts (TSTInfo, RFC 3161, 2.4.2). */
export type StampedFacts = {
  /** Object identifier of the hash function. */
  readonly hashOid: string;
  readonly hash: Uint8Array;
  /** Object identifier of the authority's policy. */
  readonly policy: string;
  /** Content of the token's number, big-endian: unique for one authority. */
  readonly serial: Uint8Array;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** The content of the integer, if the token has one. */
  readonly nonce?: Uint8Array;
};

/** A token as it is written: CMS signed data (RFC 5652) with one signer. */
export type Token = {
  readonly facts: StampedFacts;
  /** The signed content: the bytes of the TSTInfo. */
  readonly content: Uint8Array;
  /** Each certificate in DER. */
  readonly certificates: readonly Uint8Array[];
  readonly signer: CmsSignature;
  /** The bytes that the signature covers. */
  readonly signedBytes: Uint8Array;
};

/** `mayHavePadding`: zero bytes may follow, as in the Contents of a document time-stamp. */
export type TokenOptions = { readonly mayHavePadding?: boolean };

/** Reads a token. Throws DerError for any other bytes. */
export const readToken = (bytes: Uint8Array, options: TokenOptions = {}): Token => {
  const { contentType, content, certificates, signers } = readSignedData(bytes, options);
  const [signer, ...others] = signers;
  if (contentType !== oids.tstInfo || content === undefined) {
    throw new DerError("The signed data holds no time-stamp");
  }
  if (signer?.signedBytes === undefined || others.length > 0) {
    throw new DerError("A time-stamp has exactly one signer, with signed attributes");
  }
  return { facts: readFacts(content), content, certificates, signer, signedBytes: signer.signedBytes };
};

const readFacts = (content: Uint8Array): StampedFacts => {
  const [version, policy, imprint, serial, at, ...rest] = childrenWithTag(readDer(content), tags.sequence);
  if (smallIntegerOf(version) !== 1) {
    throw new DerError("The time-stamp has an unknown version");
  }
  const [algorithm, hash] = childrenWithTag(imprint, tags.sequence);
  const nonce = rest.find(({ tag }) => tag === tags.integer);
  return {
    hashOid: oidOf(childrenWithTag(algorithm, tags.sequence)[0]),
    hash: expectTag(hash, tags.octetString).content,
    policy: oidOf(policy),
    serial: expectTag(serial, tags.integer).content,
    at: timeOf(at),
    ...(nonce && { nonce: nonce.content }),
  };
};
