import { createHash } from "node:crypto";
import { type Certificate, readCertificate } from "./certificate.ts";
import { tags } from "./der.ts";
import { type HashName, oids } from "./oids.ts";
import {
  certificateTime,
  der,
  explicit,
  implicit,
  nullValue,
  octetString,
  oid,
  sequence,
  setOf,
  smallInteger,
} from "./write-der.ts";

/** A key that signs, with its certificates in DER. `sign` gets the message, not its hash. */
export type CmsSigner = {
  readonly certificate: Uint8Array;
  /** The certificates above, without the signer's. */
  readonly chain: readonly Uint8Array[];
  readonly keyKind: "rsa" | "ec";
  readonly hash: HashName;
  /** RSA: PKCS #1 v1.5. EC: DER of the SEQUENCE { r, s }. */
  readonly sign: (message: Uint8Array) => Promise<Uint8Array>;
};

/** An attribute with its one value in DER. */
export type Attribute = { readonly type: string; readonly value: Uint8Array };

export type SignedDataRequest = {
  readonly signer: CmsSigner;
  /** Hash of the content, by the hash function of the signer. */
  readonly digest: Uint8Array;
  /** Default: id-data. */
  readonly contentType?: string;
  /** Absent: the signature is separate from its content. */
  readonly content?: Uint8Array;
  /** A PAdES signature has none (ETSI EN 319 142-1, 6.3); a time-stamp token may have one. */
  readonly signingTime?: Date;
  /** More signed attributes. */
  readonly signedAttributes?: readonly Attribute[];
  /** The certificates that are enclosed. Default: the signer's and its chain. */
  readonly certificates?: readonly Uint8Array[];
};

/** A made signature: its value, and the signed data with unsigned attributes such as a time-stamp. */
export type MadeSignedData = {
  readonly signature: Uint8Array;
  readonly encode: (unsignedAttributes?: readonly Attribute[]) => Uint8Array;
};

const hashOids: Readonly<Record<HashName, string>> = {
  sha256: oids.sha256,
  sha384: oids.sha384,
  sha512: oids.sha512,
};

const signatureOids: Readonly<Record<CmsSigner["keyKind"], Readonly<Record<HashName, string>>>> = {
  rsa: { sha256: oids.rsaSha256, sha384: oids.rsaSha384, sha512: oids.rsaSha512 },
  ec: { sha256: oids.ecdsaSha256, sha384: oids.ecdsaSha384, sha512: oids.ecdsaSha512 },
};

/** AlgorithmIdentifier of a hash function. Parameters are absent (RFC 5754, 2). */
export const hashAlgorithm = (hash: HashName): Uint8Array => sequence(oid(hashOids[hash]));

/**
 * AlgorithmIdentifier of a signature. RSA has NULL as parameters (RFC 4055, 5), ECDSA none (RFC 5758, 3.2).
 */
export const signatureAlgorithm = ({ keyKind, hash }: Pick<CmsSigner, "keyKind" | "hash">): Uint8Array =>
  sequence(oid(signatureOids[keyKind][hash]), ...(keyKind === "rsa" ? [nullValue] : []));

/** SigningCertificateV2 (RFC 5035, 3). SHA-256 is the default, which DER leaves out. */
export const signingCertificate = (
  { bytes, issuer, serial }: Pick<Certificate, "bytes" | "issuer" | "serial">,
  hash: HashName,
): Uint8Array => {
  const named = sequence(sequence(explicit(4, issuer)), der(tags.integer, serial));
  const algorithm = hash === "sha256" ? [] : [hashAlgorithm(hash)];
  const digest = createHash(hash).update(bytes).digest();
  return sequence(sequence(sequence(...algorithm, octetString(digest), named)));
};

const attribute = ({ type, value }: Attribute): Uint8Array => sequence(oid(type), setOf(value));

const signedAttributesOf = (request: SignedDataRequest, certificate: Certificate): Uint8Array => {
  const { signer, digest, contentType = oids.data, signingTime, signedAttributes = [] } = request;
  const protection = sequence(hashAlgorithm(signer.hash), implicit(1, signatureAlgorithm(signer)));
  const all: readonly Attribute[] = [
    { type: oids.contentType, value: oid(contentType) },
    { type: oids.messageDigest, value: octetString(digest) },
    { type: oids.signingCertificateV2, value: signingCertificate(certificate, signer.hash) },
    // RFC 6211: the algorithms exactly as the signer states them.
    { type: oids.algorithmProtection, value: protection },
    ...(signingTime === undefined ? [] : [{ type: oids.signingTime, value: certificateTime(signingTime) }]),
    ...signedAttributes,
  ];
  return setOf(...all.map(attribute));
};

/**
 * Signs a content by its hash: CMS signed data (RFC 5652) with the signed attributes of CAdES (ETSI EN 319
 * 122-1, 6.3). Throws DerError where the signer's certificate cannot be read, and what `sign` throws.
 */
export const makeSignedData = async (request: SignedDataRequest): Promise<MadeSignedData> => {
  const { signer, contentType = oids.data, content } = request;
  const certificate = readCertificate(signer.certificate);
  const attributes = signedAttributesOf(request, certificate);
  const signature = await signer.sign(attributes);
  const certificates = request.certificates ?? [signer.certificate, ...signer.chain];
  const encode: MadeSignedData["encode"] = (unsignedAttributes = []) => {
    const signerInfo = sequence(
      smallInteger(1),
      sequence(certificate.issuer, der(tags.integer, certificate.serial)),
      hashAlgorithm(signer.hash),
      implicit(0, attributes),
      signatureAlgorithm(signer),
      octetString(signature),
      ...(unsignedAttributes.length === 0 ? [] : [implicit(1, setOf(...unsignedAttributes.map(attribute)))]),
    );
    const signedData = sequence(
      // RFC 5652, 5.1: version 3 for content of another type than id-data.
      smallInteger(contentType === oids.data ? 1 : 3),
      setOf(hashAlgorithm(signer.hash)),
      sequence(oid(contentType), ...(content === undefined ? [] : [explicit(0, octetString(content))])),
      ...(certificates.length === 0 ? [] : [implicit(0, setOf(...certificates))]),
      setOf(signerInfo),
    );
    return sequence(oid(oids.signedData), explicit(0, signedData));
  };
  return { signature, encode };
};
