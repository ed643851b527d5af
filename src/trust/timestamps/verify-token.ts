import { createHash, timingSafeEqual, X509Certificate } from "node:crypto";
import type { Certificate } from "#trust/asn1/certificate";
import { childrenOf, childrenWithTag, expectTag, oidOf, tags } from "#trust/asn1/der";
import { type HashName, hashNames, oids } from "#trust/asn1/oids";
import type { CmsSignature } from "#trust/asn1/signed-data";
import { isSignedBy } from "#trust/asn1/verify-signature";
import { readToken, type Token } from "./token.ts";
import { leadsToRoot, type Roots } from "./trust.ts";

/** The hash that a time-stamp covers, and its function. */
export type Imprint = { readonly hash: HashName; readonly digest: Uint8Array };

/** A valid time-stamp. */
export type Stamp = {
  /** Milliseconds since 1970, by the authority. */
  readonly at: number;
  /** The subject of the signer's certificate, in one line. */
  readonly signer: string;
  /** SHA-256 (hex, with colons) of that certificate. */
  readonly fingerprint: string;
  /** False where no root was given: then only the signature was checked, and any signer passes. */
  readonly isTrusted: boolean;
  /** The random number of the request, if the token repeats it. */
  readonly nonce?: Uint8Array;
};

/** The result of a verification: the stamp, or the reason why it is none. */
export type Verified = Stamp | { readonly refusal: string };

/**
 * Verifies a token over this imprint; a text is a SHA-256 hash (hex). Without `roots` the signer is not
 * checked. Never throws.
 */
export const verifyToken = (bytes: Uint8Array, wanted: Imprint | string, roots?: Roots): Verified => {
  const imprint: Imprint =
    typeof wanted === "string" ? { hash: "sha256", digest: Buffer.from(wanted, "hex") } : wanted;
  try {
    return judge(readToken(bytes), imprint, roots);
  } catch (error) {
    return { refusal: `the token cannot be read: ${error instanceof Error ? error.message : String(error)}` };
  }
};

const judge = (token: Token, imprint: Imprint, roots: Roots | undefined): Verified => {
  const { facts, signer } = token;
  if (hashNames.get(facts.hashOid) !== imprint.hash || !isSame(facts.hash, imprint.digest)) {
    return { refusal: "the token stamps another hash" };
  }
  if (signer.signerCertificate === undefined) {
    return { refusal: "the token holds no certificate of its signer" };
  }
  const refusal = refusalOf(token, signer.signerCertificate);
  if (refusal !== undefined) return { refusal };
  const certificate = new X509Certificate(signer.signerCertificate.bytes);
  const subject = certificate.subject.replaceAll("\n", ", ");
  if (roots !== undefined) {
    const certificates = token.certificates.map((bytes) => new X509Certificate(bytes));
    if (!leadsToRoot(certificate, certificates, roots, facts.at)) {
      return { refusal: `the certificate of ${subject} leads to none of the given roots` };
    }
  }
  return {
    at: facts.at,
    signer: subject,
    fingerprint: certificate.fingerprint256,
    isTrusted: roots !== undefined,
    ...(facts.nonce && { nonce: facts.nonce }),
  };
};

const refusalOf = ({ signer, signedBytes, content }: Token, certificate: Certificate): string | undefined => {
  const digest = hashNames.get(signer.digestOid);
  if (digest === undefined) return `the hash function ${signer.digestOid} of the signature is not accepted`;
  const { signedAttributes: attributes } = signer;
  if (oidOf(attributes.get(oids.contentType)) !== oids.tstInfo)
    return "the signed content is of another type";
  const { content: signedDigest } = expectTag(attributes.get(oids.messageDigest), tags.octetString);
  if (!isHashOf(digest, content, signedDigest)) return "the content differs from the signed one";
  if (!namesCertificate(signer, certificate))
    return "the signature does not name the certificate of its signer";
  if (!isForTimestamps(certificate)) return "the certificate of the signer is not for time-stamps alone";
  return isSignedBy({ ...signer, signedBytes }, certificate) ? undefined : "the signature is not valid";
};

const isSame = (a: Uint8Array, b: Uint8Array): boolean => a.length === b.length && timingSafeEqual(a, b);

const isHashOf = (name: string, bytes: Uint8Array, wanted: Uint8Array): boolean =>
  isSame(createHash(name).update(bytes).digest(), wanted);

/** RFC 3161, 2.3: the extension is critical and names this one purpose. */
export const isForTimestamps = ({
  extensions,
  purposes = [],
}: Pick<Certificate, "extensions" | "purposes">): boolean =>
  extensions.get(oids.extendedKeyUsage)?.isCritical === true &&
  purposes.length === 1 &&
  purposes[0] === oids.timeStamping;

/**
 * Whether the signed attributes name the certificate by its hash: SigningCertificateV2 or, where that is
 * absent, SigningCertificate (RFC 3161, 2.4.2, RFC 5816). Throws DerError.
 */
const namesCertificate = (
  { signedAttributes: attributes }: Pick<CmsSignature, "signedAttributes">,
  { bytes }: Pick<Certificate, "bytes">,
): boolean => {
  const attribute = attributes.get(oids.signingCertificateV2) ?? attributes.get(oids.signingCertificate);
  if (attribute === undefined) return false;
  const [list] = childrenOf(attribute);
  const [first] = childrenWithTag(list, tags.sequence);
  const [algorithm, ...rest] = childrenWithTag(first, tags.sequence);
  const isV2 = attributes.has(oids.signingCertificateV2);
  const hasAlgorithm = algorithm?.tag === tags.sequence;
  const name = !isV2 ? "sha1" : hasAlgorithm ? hashNames.get(oidOf(childrenOf(algorithm)[0])) : "sha256";
  const hash = expectTag(hasAlgorithm ? rest[0] : algorithm, tags.octetString);
  return name !== undefined && isHashOf(name, bytes, hash.content);
};
