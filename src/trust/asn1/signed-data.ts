import { readBer } from "./ber.ts";
import { type Certificate, readCertificate } from "./certificate.ts";
import {
  childrenOf,
  childrenWithTag,
  contextTag,
  type Der,
  DerError,
  expectTag,
  insideOf,
  oidOf,
  readDer,
  readPaddedDer,
  tags,
} from "./der.ts";
import { oids } from "./oids.ts";

/** CMS signed data (RFC 5652, 5.1). Made by {@link readSignedData}; nothing in it is verified. */
export type SignedData = {
  /** Identifier of the content's type. */
  readonly contentType: string;
  /** The signed content; undefined where the signature is separate from it. */
  readonly content: Uint8Array | undefined;
  /** Each certificate in DER. */
  readonly certificates: readonly Uint8Array[];
  /** Each CRL in DER. */
  readonly crls: readonly Uint8Array[];
  readonly signers: readonly CmsSignature[];
};

/** One signer of signed data (RFC 5652, 5.3). */
export type CmsSignature = {
  /** Issuer and serial number, or `[0]` with the identifier of the key. */
  readonly id: Der;
  /** Identifier of the hash function. */
  readonly digestOid: string;
  /**
   * The signed attributes by their identifiers, each with its only value. Empty where there are none. An
   * attribute that occurs twice, or has another number of values, is left out, because nothing can rest on
   * it.
   */
  readonly signedAttributes: ReadonlyMap<string, Der>;
  /**
   * The bytes that the signature covers: the attributes as a SET. Undefined where it covers the content
   * itself.
   */
  readonly signedBytes: Uint8Array | undefined;
  /** AlgorithmIdentifier of the hash function and of the signature, in DER. */
  readonly digestAlgorithm: Der;
  readonly algorithm: Der;
  readonly signature: Uint8Array;
  /** The values of the unsigned attributes by their identifiers. */
  readonly unsignedAttributes: ReadonlyMap<string, readonly Der[]>;
  /** The certificate of the signer: the one of the data that `id` names. */
  readonly signerCertificate: Certificate | undefined;
};

/**
 * `mayHavePadding`: zero bytes may follow, as in the Contents of a PDF's signature. `mayBeBer`: lengths may
 * be indefinite, as older signers write them.
 */
export type SignedDataOptions = { readonly mayHavePadding?: boolean; readonly mayBeBer?: boolean };

/** More signers, or certificates, than these are refused. */
const [signersMax, certificatesMax] = [16, 100];

/** Reads signed data. Throws DerError for any other bytes. */
export const readSignedData = (
  bytes: Uint8Array,
  { mayHavePadding = false, mayBeBer = false }: SignedDataOptions = {},
): SignedData => {
  const whole = mayBeBer
    ? readOther(bytes, mayHavePadding)
    : mayHavePadding
      ? readPaddedDer(bytes)
      : readDer(bytes);
  const [type, wrapped] = childrenWithTag(whole, tags.sequence);
  if (oidOf(type) !== oids.signedData) throw new DerError("The structure is no signed data");
  const fields = childrenWithTag(insideOf(wrapped, contextTag(0)), tags.sequence);
  const [, , encapsulated, ...rest] = fields;
  const [contentType, content] = childrenWithTag(encapsulated, tags.sequence);
  const certificates = listOf(rest, 0, certificatesMax);
  const read = certificates.flatMap(tryCertificate);
  return {
    contentType: oidOf(contentType),
    content: content && expectTag(insideOf(content, contextTag(0)), tags.octetString).content,
    certificates,
    crls: listOf(rest, 1, certificatesMax),
    signers: childrenOf(expectTag(rest.at(-1), tags.set), signersMax).map((signer) =>
      readSigner(signer, read),
    ),
  };
};

const readOther = (bytes: Uint8Array, mayHavePadding: boolean): Der => {
  const { written, end } = readBer(bytes);
  const rest = bytes.subarray(end);
  if (mayHavePadding ? rest.some((byte) => byte !== 0) : rest.length > 0) {
    throw new DerError("Bytes follow the value");
  }
  return readDer(written);
};

/**
 * The plain members (SEQUENCE) of an implicit set. Other forms, such as attribute certificates, are left out.
 */
const listOf = (fields: readonly Der[], number: number, countMax: number): readonly Uint8Array[] => {
  const found = fields.find(({ tag }) => tag === contextTag(number));
  return (found === undefined ? [] : childrenOf(found, countMax))
    .filter(({ tag }) => tag === tags.sequence)
    .map((one) => one.bytes);
};

/** A damaged certificate cannot be the certificate of the signer. */
const tryCertificate = (bytes: Uint8Array): readonly Certificate[] => {
  try {
    return [readCertificate(bytes)];
  } catch (error) {
    if (error instanceof DerError) return [];
    throw error;
  }
};

const readSigner = (value: Der, certificates: readonly Certificate[]): CmsSignature => {
  const [, id, digest, ...rest] = childrenWithTag(value, tags.sequence);
  if (id === undefined) throw new DerError("A signer has no identifier");
  const signed = rest[0]?.tag === contextTag(0) ? rest[0] : undefined;
  const [algorithm, signature, unsigned] = signed === undefined ? rest : rest.slice(1);
  return {
    id,
    digestOid: oidOf(childrenWithTag(digest, tags.sequence)[0]),
    digestAlgorithm: expectTag(digest, tags.sequence),
    signedAttributes: readSigned(signed),
    // RFC 5652, 5.4: the signature covers a SET, while the message holds `[0]`.
    signedBytes: signed && Buffer.concat([Uint8Array.of(tags.set), signed.bytes.subarray(1)]),
    algorithm: expectTag(algorithm, tags.sequence),
    signature: expectTag(signature, tags.octetString).content,
    unsignedAttributes: readUnsigned(unsigned),
    signerCertificate: certificates.find((one) => isNamedBy(one, id)),
  };
};

const readAttribute = (attribute: Der): readonly [string, readonly Der[]] => {
  const [type, values] = childrenWithTag(attribute, tags.sequence);
  return [oidOf(type), childrenWithTag(values, tags.set)];
};

const readSigned = (wrapped: Der | undefined): ReadonlyMap<string, Der> => {
  const all = wrapped === undefined ? [] : childrenOf(wrapped).map(readAttribute);
  const attributes = new Map<string, Der>();
  for (const [type, [value, ...others]] of all) {
    const isOnly = all.filter(([other]) => other === type).length === 1;
    if (value !== undefined && others.length === 0 && isOnly) attributes.set(type, value);
  }
  return attributes;
};

const readUnsigned = (wrapped: Der | undefined): ReadonlyMap<string, readonly Der[]> => {
  const attributes = new Map<string, Der[]>();
  const list = wrapped === undefined ? [] : childrenWithTag(wrapped, contextTag(1));
  for (const [type, values] of list.map(readAttribute)) {
    const known = attributes.get(type);
    if (known === undefined) attributes.set(type, [...values]);
    else known.push(...values);
  }
  return attributes;
};

/** Whether this identifier of a signer names the certificate (RFC 5652, 5.3). */
export const isNamedBy = (certificate: Certificate, id: Der): boolean => {
  if (id.tag === contextTag(0, false)) {
    const { subjectKeyId } = certificate;
    return subjectKeyId !== undefined && Buffer.compare(subjectKeyId, id.content) === 0;
  }
  const [issuer, serial] = childrenWithTag(id, tags.sequence);
  return (
    issuer !== undefined &&
    serial !== undefined &&
    Buffer.compare(issuer.bytes, certificate.issuer) === 0 &&
    Buffer.compare(serial.content, certificate.serial) === 0
  );
};
