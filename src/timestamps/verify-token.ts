import { constants, createHash, timingSafeEqual, verify, X509Certificate } from "node:crypto";
import { childrenOf, contextTag, type Der, expectTag, oidOf, readDer, smallIntegerOf, tags } from "#asn1/der";
import { hashNames, oids, signatureHashes } from "#asn1/oids";
import { readToken, type Signer, type Token } from "./token.ts";
import { leadsToRoot, type Roots } from "./trust.ts";

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

/** Verifies a token over this SHA-256 hash (hex). Without `roots` the signer is not checked. Never throws. */
export const verifyToken = (bytes: Uint8Array, hash: string, roots?: Roots): Verified => {
  try {
    return judge(readToken(bytes), hash, roots);
  } catch (error) {
    return { refusal: `the token cannot be read: ${error instanceof Error ? error.message : String(error)}` };
  }
};

const judge = (token: Token, hash: string, roots: Roots | undefined): Verified => {
  const { facts, signer, content } = token;
  const stamped = Buffer.from(facts.hash);
  if (facts.hashOid !== oids.sha256 || !stamped.equals(Buffer.from(hash, "hex"))) {
    return { refusal: "the token stamps another hash" };
  }
  const certificates = token.certificates.map((bytes) => new X509Certificate(bytes));
  const certificate = certificates.find((one) => isCertificateOf(one, signer));
  if (certificate === undefined) {
    return { refusal: "the token holds no certificate of its signer" };
  }
  const refusal = refusalOf(signer, content, certificate);
  if (refusal !== undefined) return { refusal };
  if (roots !== undefined && !leadsToRoot(certificate, certificates, roots, facts.at)) {
    return { refusal: `the certificate of ${subjectOf(certificate)} leads to none of the given roots` };
  }
  return {
    at: facts.at,
    signer: subjectOf(certificate),
    fingerprint: certificate.fingerprint256,
    isTrusted: roots !== undefined,
    ...(facts.nonce && { nonce: facts.nonce }),
  };
};

const subjectOf = ({ subject }: X509Certificate): string => subject.replaceAll("\n", ", ");

const refusalOf = (signer: Signer, content: Uint8Array, certificate: X509Certificate): string | undefined => {
  const digest = hashNames.get(signer.digestOid);
  if (digest === undefined) return `the hash function ${signer.digestOid} of the signature is not accepted`;
  const { attributes } = signer;
  if (oidOf(attributes.get(oids.contentType)) !== oids.tstInfo)
    return "the signed content is of another type";
  const { content: signedDigest } = expectTag(attributes.get(oids.messageDigest), tags.octetString);
  if (!isHashOf(digest, content, signedDigest)) return "the content differs from the signed one";
  if (!namesCertificate(signer, certificate))
    return "the signature does not name the certificate of its signer";
  if (!isForTimestamps(certificate)) return "the certificate of the signer is not for time-stamps alone";
  return isSignatureOf(signer, digest, certificate) ? undefined : "the signature is not valid";
};

const isHashOf = (name: string, bytes: Uint8Array, wanted: Uint8Array): boolean => {
  const hash = createHash(name).update(bytes).digest();
  return hash.length === wanted.length && timingSafeEqual(hash, wanted);
};

/** The parts of a certificate that node:crypto does not give (RFC 5280, 4.1). */
const partsOf = (certificate: X509Certificate) => {
  const [toBeSigned] = childrenOf(readDer(certificate.raw));
  const fields = childrenOf(expectTag(toBeSigned, tags.sequence));
  const [serial, , issuer] = fields[0]?.tag === contextTag(0) ? fields.slice(1) : fields;
  const wrapped = fields.find(({ tag }) => tag === contextTag(3));
  const extensions = wrapped === undefined ? [] : childrenOf(childrenOf(wrapped)[0]!);
  return { serial: expectTag(serial, tags.integer), issuer: expectTag(issuer, tags.sequence), extensions };
};

type Extension = { readonly isCritical: boolean; readonly value: Der };

const findExtension = (certificate: X509Certificate, wanted: string): Extension | undefined => {
  for (const extension of partsOf(certificate).extensions) {
    const [type, ...rest] = childrenOf(extension);
    if (oidOf(type) === wanted) {
      const isCritical = rest.some(({ tag, content }) => tag === tags.boolean && content[0] !== 0);
      return { isCritical, value: readDer(expectTag(rest.at(-1), tags.octetString).content) };
    }
  }
  return undefined;
};

const isSame = (a: Uint8Array, b: Uint8Array): boolean => Buffer.from(a).equals(b);

const isCertificateOf = (certificate: X509Certificate, { id }: Signer): boolean => {
  if (id.tag === contextTag(0, false)) {
    const key = findExtension(certificate, oids.subjectKeyIdentifier);
    return key !== undefined && isSame(key.value.content, id.content);
  }
  const [issuer, serial] = childrenOf(expectTag(id, tags.sequence));
  const parts = partsOf(certificate);
  return (
    issuer !== undefined &&
    serial !== undefined &&
    isSame(issuer.bytes, parts.issuer.bytes) &&
    isSame(serial.content, parts.serial.content)
  );
};

/** RFC 3161, 2.3: the extension is critical and names this one purpose. */
const isForTimestamps = (certificate: X509Certificate): boolean => {
  const usage = findExtension(certificate, oids.extendedKeyUsage);
  const purposes = usage === undefined ? [] : childrenOf(usage.value).map(oidOf);
  return usage?.isCritical === true && purposes.length === 1 && purposes[0] === oids.timeStamping;
};

/** RFC 3161, 2.4.2 and RFC 5816: the signed attributes name the certificate by its hash. */
const namesCertificate = ({ attributes }: Signer, { raw }: X509Certificate): boolean => {
  const attribute = attributes.get(oids.signingCertificateV2) ?? attributes.get(oids.signingCertificate);
  if (attribute === undefined) return false;
  const [first] = childrenOf(childrenOf(attribute)[0]!);
  const [algorithm, ...rest] = childrenOf(expectTag(first, tags.sequence));
  const isV2 = attributes.has(oids.signingCertificateV2);
  const hasAlgorithm = algorithm?.tag === tags.sequence;
  const name = !isV2 ? "sha1" : hasAlgorithm ? hashNames.get(oidOf(childrenOf(algorithm)[0])) : "sha256";
  const hash = expectTag(hasAlgorithm ? rest[0] : algorithm, tags.octetString);
  return name !== undefined && isHashOf(name, raw, hash.content);
};

const isSignatureOf = (
  { algorithm, signedBytes, signature }: Signer,
  digest: string,
  { publicKey }: X509Certificate,
): boolean => {
  const [type, parameters] = childrenOf(algorithm);
  const name = oidOf(type);
  if (name === oids.ed25519) return verify(null, signedBytes, publicKey, signature);
  if (name === oids.rsaPss) {
    const { hash, saltLength } = readPss(parameters);
    const key = { key: publicKey, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength };
    return hash !== undefined && verify(hash, signedBytes, key, signature);
  }
  const hash = name === oids.rsa ? digest : signatureHashes.get(name);
  return hash !== undefined && verify(hash, signedBytes, publicKey, signature);
};

/** RSASSA-PSS-params (RFC 8017, A.2.3). The defaults use SHA-1, which is not accepted. */
const readPss = (parameters: Der | undefined) => {
  const fields = childrenOf(expectTag(parameters, tags.sequence));
  const inner = (number: number): Der | undefined => {
    const field = fields.find(({ tag }) => tag === contextTag(number));
    return field && childrenOf(field)[0];
  };
  const [hashField, lengthField] = [inner(0), inner(2)];
  const hash = hashField && hashNames.get(oidOf(childrenOf(hashField)[0]));
  return { hash, saltLength: lengthField === undefined ? 20 : smallIntegerOf(lengthField) };
};
