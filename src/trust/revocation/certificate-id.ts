import { createHash } from "node:crypto";
import type { Certificate } from "#trust/asn1/certificate";
import { childrenWithTag, type Der, expectTag, oidOf, tags } from "#trust/asn1/der";
import { hashNames, oids } from "#trust/asn1/oids";
import { der, nullValue, octetString, oid, sequence } from "#trust/asn1/write-der";

/** SHA-1 only names a certificate here, and is the name that every responder takes (RFC 5019, 2.1.1). */
type NamingHash = "sha1" | "sha256";

const hashed = (hash: string, bytes: Uint8Array): Uint8Array => createHash(hash).update(bytes).digest();

/** CertID of RFC 6960, 4.1.1: the certificate by its issuer's name and key, and its serial number. */
export const writeCertificateId = (
  { serial }: Pick<Certificate, "serial">,
  issuer: Pick<Certificate, "subject" | "keyBits">,
  hash: NamingHash = "sha1",
): Uint8Array =>
  sequence(
    sequence(oid(hash === "sha1" ? oids.sha1 : oids.sha256), nullValue),
    octetString(hashed(hash, issuer.subject)),
    octetString(hashed(hash, issuer.keyBits)),
    der(tags.integer, serial),
  );

/**
 * The serial number of a CertID, if it names this issuer; undefined for another one, or an unknown hash
 * function.
 */
export const serialUnder = (
  id: Der,
  issuer: Pick<Certificate, "subject" | "keyBits">,
): Uint8Array | undefined => {
  const [algorithm, name, key, serial] = childrenWithTag(id, tags.sequence);
  const type = oidOf(childrenWithTag(algorithm, tags.sequence)[0]);
  const hash = type === oids.sha1 ? "sha1" : hashNames.get(type);
  if (hash === undefined) return undefined;
  const isIssuer =
    isSame(expectTag(name, tags.octetString).content, hashed(hash, issuer.subject)) &&
    isSame(expectTag(key, tags.octetString).content, hashed(hash, issuer.keyBits));
  return isIssuer ? expectTag(serial, tags.integer).content : undefined;
};

export const isSame = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0;
