import {
  childrenOf,
  contextTag,
  type Der,
  expectTag,
  oidOf,
  readDer,
  smallIntegerOf,
  tags,
  timeOf,
} from "#asn1/der";
import { oids } from "#asn1/oids";

/** The stamped facts (TSTInfo, RFC 3161, 2.4.2). */
export type StampedFacts = {
  /** Object identifier of the hash function. */
  readonly hashOid: string;
  readonly hash: Uint8Array;
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
  readonly signer: Signer;
};

export type Signer = {
  /** Issuer and serial number, or the identifier of the key. */
  readonly id: Der;
  readonly digestOid: string;
  /** The signed attributes by their identifiers, each with its one value. */
  readonly attributes: ReadonlyMap<string, Der>;
  /** The bytes that the signature covers: the attributes as a SET. */
  readonly signedBytes: Uint8Array;
  readonly algorithm: Der;
  readonly signature: Uint8Array;
};

/** Reads a token. Throws DerError for bytes that are none. */
export const readToken = (bytes: Uint8Array): Token => {
  const [type, wrapped] = childrenOf(expectTag(readDer(bytes), tags.sequence));
  requireOid(type, oids.signedData);
  const [signedData] = childrenOf(expectTag(wrapped, contextTag(0)));
  const [, , encapsulated, ...rest] = childrenOf(expectTag(signedData, tags.sequence));
  const [contentType, explicit] = childrenOf(expectTag(encapsulated, tags.sequence));
  requireOid(contentType, oids.tstInfo);
  const [octets] = childrenOf(expectTag(explicit, contextTag(0)));
  const { content } = expectTag(octets, tags.octetString);
  const certificates = rest.find(({ tag }) => tag === contextTag(0));
  const signers = childrenOf(expectTag(rest.at(-1), tags.set));
  if (signers.length !== 1) {
    throw new Error("A time-stamp has exactly one signer");
  }
  return {
    facts: readFacts(content),
    content,
    certificates: certificates === undefined ? [] : childrenOf(certificates).map((one) => one.bytes),
    signer: readSigner(signers[0]!),
  };
};

const requireOid = (value: Der | undefined, wanted: string): void => {
  const found = oidOf(value);
  if (found !== wanted) {
    throw new Error(`The structure is ${found} in place of ${wanted}`);
  }
};

const readFacts = (content: Uint8Array): StampedFacts => {
  const [version, , imprint, , at, ...rest] = childrenOf(expectTag(readDer(content), tags.sequence));
  if (smallIntegerOf(version) !== 1) {
    throw new Error("The time-stamp has an unknown version");
  }
  const [algorithm, hash] = childrenOf(expectTag(imprint, tags.sequence));
  const nonce = rest.find(({ tag }) => tag === tags.integer);
  return {
    hashOid: oidOf(childrenOf(expectTag(algorithm, tags.sequence))[0]),
    hash: expectTag(hash, tags.octetString).content,
    at: timeOf(at),
    ...(nonce && { nonce: nonce.content }),
  };
};

const readSigner = (value: Der): Signer => {
  const [, id, digest, attributes, algorithm, signature] = childrenOf(expectTag(value, tags.sequence));
  if (id === undefined) throw new Error("The signer has no identifier");
  const signed = expectTag(attributes, contextTag(0));
  return {
    id,
    digestOid: oidOf(childrenOf(expectTag(digest, tags.sequence))[0]),
    attributes: new Map(childrenOf(signed).map(readAttribute)),
    // RFC 5652, 5.4: the signature covers a SET, while the message holds `[0]`.
    signedBytes: Buffer.concat([Uint8Array.of(tags.set), signed.bytes.subarray(1)]),
    algorithm: expectTag(algorithm, tags.sequence),
    signature: expectTag(signature, tags.octetString).content,
  };
};

const readAttribute = (attribute: Der): readonly [string, Der] => {
  const [type, values] = childrenOf(expectTag(attribute, tags.sequence));
  const [value, ...others] = childrenOf(expectTag(values, tags.set));
  if (value === undefined || others.length > 0) {
    throw new Error("A signed attribute has not exactly one value");
  }
  return [oidOf(type), value];
};
