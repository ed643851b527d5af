import { constants, createPublicKey, type KeyObject, verify } from "node:crypto";
import type { Certificate } from "./certificate.ts";
import { childrenWithTag, contextTag, type Der, insideOf, oidOf, smallIntegerOf, tags } from "./der.ts";
import { hashNames, oids, signatureHashes } from "./oids.ts";

/** How a signature was made. `sha1` is read, so that a report can name it; {@link isStrong} refuses it. */
export type SignatureScheme =
  | { readonly kind: "rsa" | "ecdsa"; readonly hash: string }
  | { readonly kind: "rsa-pss"; readonly hash: string; readonly saltBytes: number }
  | { readonly kind: "ed25519" };

/** Algorithms with SHA-1 (RFC 8017, RFC 5758). */
const oldHashes: ReadonlyMap<string, string> = new Map([
  ["1.2.840.113549.1.1.5", "sha1"],
  ["1.2.840.10045.4.1", "sha1"],
]);

const ecdsaArc = "1.2.840.10045.4.";

/** The hash function behind an identifier, SHA-1 included. */
export const hashOf = (id: string): string | undefined => (id === oids.sha1 ? "sha1" : hashNames.get(id));

/** Whether an identifier names an algorithm of signatures or keys that is read here. */
export const isSignatureAlgorithm = (id: string): boolean =>
  signatureHashes.has(id) ||
  oldHashes.has(id) ||
  id === oids.rsa ||
  id === oids.rsaPss ||
  id === oids.ecPublicKey ||
  id === oids.ed25519;

/**
 * The scheme of an AlgorithmIdentifier. `digestOid` is the hash function of the signer, for algorithms that
 * name none. Undefined for an unknown algorithm. Throws DerError for any other bytes.
 */
export const readScheme = (algorithm: Der, digestOid?: string): SignatureScheme | undefined => {
  const [type, parameters] = childrenWithTag(algorithm, tags.sequence);
  const id = oidOf(type);
  if (id === oids.ed25519) return { kind: "ed25519" };
  if (id === oids.rsaPss) return readPss(parameters);
  const isDigestApart = id === oids.rsa || id === oids.ecPublicKey;
  const hash = isDigestApart ? hashOf(digestOid ?? "") : (signatureHashes.get(id) ?? oldHashes.get(id));
  if (hash === undefined) return undefined;
  return { kind: id === oids.ecPublicKey || id.startsWith(ecdsaArc) ? "ecdsa" : "rsa", hash };
};

/**
 * The identifier of an AlgorithmIdentifier. If it is left out, the identifier of SHA-1, which is the default
 * of PSS.
 */
const idOf = (algorithm: Der | undefined): string =>
  algorithm === undefined ? oids.sha1 : oidOf(childrenWithTag(algorithm, tags.sequence)[0]);

/** RSASSA-PSS-params (RFC 8017, A.2.3): a mask of the same hash function. The defaults use SHA-1. */
const readPss = (parameters: Der | undefined): SignatureScheme | undefined => {
  const fields = childrenWithTag(parameters, tags.sequence);
  const field = (number: number): Der | undefined => {
    const found = fields.find(({ tag }) => tag === contextTag(number));
    return found && insideOf(found, contextTag(number));
  };
  const [digest, mask, length] = [field(0), field(1), field(2)];
  const id = idOf(digest);
  const hash = hashOf(id);
  if (hash === undefined || idOf(mask && childrenWithTag(mask, tags.sequence)[1]) !== id) return undefined;
  return { kind: "rsa-pss", hash, saltBytes: length === undefined ? 20 : smallIntegerOf(length) };
};

/** Whether a scheme's hash function is accepted: SHA-256, 384, 512. */
export const isStrong = (scheme: SignatureScheme): boolean =>
  scheme.kind === "ed25519" || [...hashNames.values()].some((name) => name === scheme.hash);

/** A shorter RSA key is weak (ETSI TS 119 312, 6.2). */
const rsaBitsMin = 2048;

/** Curves of 256 bits and more (ETSI TS 119 312, 6.3), by their names in OpenSSL. */
const strongCurves: ReadonlySet<string | undefined> = new Set([
  "prime256v1",
  "secp384r1",
  "secp521r1",
  "brainpoolP256r1",
  "brainpoolP384r1",
  "brainpoolP512r1",
]);

/**
 * Whether the key of a SubjectPublicKeyInfo (DER) is long enough: RSA from 2048 bits, EC from 256. Never
 * throws.
 */
export const isStrongKey = (publicKeyInfo: Uint8Array): boolean => {
  try {
    return isLong(keyOf(publicKeyInfo));
  } catch {
    // A key that OpenSSL does not read signs nothing that can be relied on.
    return false;
  }
};

const isLong = ({ asymmetricKeyType: type, asymmetricKeyDetails }: KeyObject): boolean => {
  if (type === "rsa" || type === "rsa-pss") return (asymmetricKeyDetails?.modulusLength ?? 0) >= rsaBitsMin;
  return type === "ec" ? strongCurves.has(asymmetricKeyDetails?.namedCurve) : type === "ed25519";
};

const keyOf = (publicKeyInfo: Uint8Array): KeyObject =>
  createPublicKey({ key: Buffer.from(publicKeyInfo), format: "der", type: "spki" });

const keyTypes: Readonly<Record<SignatureScheme["kind"], readonly (string | undefined)[]>> = {
  rsa: ["rsa"],
  // RFC 4055, 1.2: a key for PSS alone may say so.
  "rsa-pss": ["rsa", "rsa-pss"],
  ecdsa: ["ec"],
  ed25519: ["ed25519"],
};

/** Whether `signature` is a signature of `bytes` by the key of a SubjectPublicKeyInfo (DER). Never throws. */
export const isSignatureOf = (
  scheme: SignatureScheme,
  publicKeyInfo: Uint8Array,
  bytes: Uint8Array,
  signature: Uint8Array,
): boolean => {
  try {
    return isValid(scheme, keyOf(publicKeyInfo), bytes, signature);
  } catch {
    // A damaged key, or one of a kind that OpenSSL does not have, made no signature that can be relied on.
    return false;
  }
};

const isValid = (
  scheme: SignatureScheme,
  key: KeyObject,
  bytes: Uint8Array,
  signature: Uint8Array,
): boolean => {
  if (!keyTypes[scheme.kind].includes(key.asymmetricKeyType)) return false;
  if (scheme.kind === "ed25519") return verify(null, bytes, key, signature);
  if (scheme.kind !== "rsa-pss") return verify(scheme.hash, bytes, key, signature);
  const padding = constants.RSA_PKCS1_PSS_PADDING;
  return verify(scheme.hash, bytes, { key, padding, saltLength: scheme.saltBytes }, signature);
};

/** Signed bytes with their signature, as certificates, CRLs, OCSP answers and signers of CMS hold them. */
export type SignedBytes = {
  readonly signedBytes: Uint8Array;
  readonly algorithm: Der;
  readonly signature: Uint8Array;
  /** Hash function of the signer, where it is separate from the algorithm. */
  readonly digestOid?: string;
};

/**
 * Whether a certificate's key signed these bytes: with an accepted hash function and a long key. Never throws
 * but DerError.
 */
export const isSignedBy = (
  { signedBytes, algorithm, signature, digestOid }: SignedBytes,
  { publicKeyInfo }: Pick<Certificate, "publicKeyInfo">,
): boolean => {
  const scheme = readScheme(algorithm, digestOid);
  if (scheme === undefined || !isStrong(scheme)) return false;
  try {
    const key = keyOf(publicKeyInfo);
    return isLong(key) && isValid(scheme, key, signedBytes, signature);
  } catch {
    // As isSignatureOf.
    return false;
  }
};
