import { createHash } from "node:crypto";
import type { Certificate } from "#trust/asn1/certificate";
import { childrenWithTag, type Der, oidOf, tags } from "#trust/asn1/der";
import { oids } from "#trust/asn1/oids";
import type { CmsSignature, SignedData } from "#trust/asn1/signed-data";
import { hashOf, isSignatureAlgorithm, isSignatureOf, readScheme } from "#trust/asn1/verify-signature";

/** Hash of the signed bytes of the file, by the name of its function. */
export type Digest = (hash: string) => Uint8Array;

/** The hash of these bytes, in their order. */
export const digestOf =
  (...parts: readonly Uint8Array[]): Digest =>
  (name) => {
    const hash = createHash(name);
    for (const part of parts) hash.update(part);
    return hash.digest();
  };

/**
 * What is wrong with a signature. `algorithm_unknown` and `certificate_missing` leave it open; the others
 * break it.
 */
export type CmsFault =
  | "digest_differs"
  | "signature_wrong"
  | "attributes_wrong"
  | "certificate_differs"
  | "certificate_missing"
  | "signer_count"
  | "algorithm_wrong"
  | "algorithm_unknown";

/** How a signer is checked. */
export type SignerRules = {
  /** A token must name the certificate of its signer (RFC 3161, 2.4.2; RFC 5816). */
  readonly mustNameCertificate?: boolean;
};

/**
 * Checks the one signer of CMS signed data over content with this hash: signed attributes, the certificate
 * that they name, and the signature (RFC 5652, 5.4 and 5.6; RFC 5035; RFC 6211). Throws DerError.
 */
export const checkSigner = (
  data: SignedData,
  digest: Digest,
  { mustNameCertificate = false }: SignerRules = {},
): readonly CmsFault[] => {
  const [signer, ...others] = data.signers;
  if (signer === undefined || others.length > 0) return ["signer_count"];
  const certificate = signer.signerCertificate;
  if (certificate === undefined) return ["certificate_missing"];
  const hash = hashOf(signer.digestOid);
  if (hash === undefined)
    return [isSignatureAlgorithm(signer.digestOid) ? "algorithm_wrong" : "algorithm_unknown"];
  return [
    ...checkAttributes(data, signer, digest(hash)),
    ...checkCertificateName(signer, certificate, mustNameCertificate),
    ...checkValue(signer, certificate),
  ];
};

const checkAttributes = (data: SignedData, signer: CmsSignature, digest: Uint8Array): readonly CmsFault[] => {
  const { signedAttributes, signedBytes } = signer;
  if (signedBytes === undefined) return [];
  const type = signedAttributes.get(oids.contentType);
  const stated = signedAttributes.get(oids.messageDigest);
  if (type === undefined || oidOf(type) !== data.contentType || stated?.tag !== tags.octetString) {
    return ["attributes_wrong"];
  }
  if (!isProtected(signer)) return ["attributes_wrong"];
  return Buffer.compare(stated.content, digest) === 0 ? [] : ["digest_differs"];
};

/** CMSAlgorithmProtection, if the signer has it, states the algorithms of the signer (RFC 6211, 2). */
const isProtected = ({ signedAttributes, digestAlgorithm, algorithm }: CmsSignature): boolean => {
  const attribute = signedAttributes.get(oids.algorithmProtection);
  if (attribute === undefined) return true;
  const [digest, signature] = childrenWithTag(attribute, tags.sequence);
  return (
    digest !== undefined &&
    signature !== undefined &&
    Buffer.compare(digest.bytes, digestAlgorithm.bytes) === 0 &&
    Buffer.compare(signature.content, algorithm.content) === 0
  );
};

/** The first certificate of signing-certificate (RFC 2634, 5.4) or signing-certificate-v2 (RFC 5035, 3). */
const namedCertificate = (signer: CmsSignature): Der | undefined => {
  const { signedAttributes } = signer;
  const attribute =
    signedAttributes.get(oids.signingCertificateV2) ?? signedAttributes.get(oids.signingCertificate);
  return attribute && childrenWithTag(childrenWithTag(attribute, tags.sequence)[0], tags.sequence)[0];
};

const checkCertificateName = (
  signer: CmsSignature,
  { bytes }: Certificate,
  mustName: boolean,
): readonly CmsFault[] => {
  const named = namedCertificate(signer);
  if (named === undefined) return mustName ? ["attributes_wrong"] : [];
  const [first, second] = childrenWithTag(named, tags.sequence);
  const isV2 = signer.signedAttributes.has(oids.signingCertificateV2);
  const hasAlgorithm = first?.tag === tags.sequence;
  const stated = hasAlgorithm ? hashOf(oidOf(childrenWithTag(first, tags.sequence)[0])) : "sha256";
  const name = isV2 ? stated : "sha1";
  const hash = hasAlgorithm ? second : first;
  if (name === undefined || hash?.tag !== tags.octetString) return ["algorithm_unknown"];
  const own = createHash(name).update(bytes).digest();
  return Buffer.compare(own, hash.content) === 0 ? [] : ["certificate_differs"];
};

const checkValue = (signer: CmsSignature, certificate: Certificate): readonly CmsFault[] => {
  const { algorithm, digestOid, signedBytes, signature } = signer;
  const scheme = readScheme(algorithm, digestOid);
  // A signature in PDF has signed attributes (ISO 32000-2, 12.8.3.3): without them nothing names the
  // content's type.
  if (signedBytes === undefined) return ["attributes_wrong"];
  if (scheme === undefined) return ["algorithm_unknown"];
  return isSignatureOf(scheme, certificate.publicKeyInfo, signedBytes, signature) ? [] : ["signature_wrong"];
};
