/** Writes certificates (RFC 5280, 4.1). The development authority and the authorities of tests use them. */
import { createHash, createPublicKey, type KeyObject, randomBytes, sign } from "node:crypto";
import { bitStringOf, childrenWithTag, readDer, tags } from "./der.ts";
import { idOfName } from "./names.ts";
import { type HashName, oids } from "./oids.ts";
import {
  bitString,
  boolean,
  certificateTime,
  der,
  explicit,
  implicit,
  integer,
  octetString,
  oid,
  sequence,
  setOf,
  smallInteger,
  utf8String,
} from "./write-der.ts";
import { signatureAlgorithm } from "./write-signed-data.ts";

export type CertificateContent = {
  /** Names in DER. The issuer's is that of its own certificate, byte for byte. */
  readonly subject: Uint8Array;
  readonly issuer: Uint8Array;
  readonly from: Date;
  readonly to: Date;
  /** SubjectPublicKeyInfo in DER. */
  readonly publicKeyInfo: Uint8Array;
  /** Each in DER, made by `extension` and its like. */
  readonly extensions: readonly Uint8Array[];
  /** The issuer's private key, and the hash that it signs over. */
  readonly key: KeyObject;
  readonly hash: HashName;
};

/** A certificate of version 3 in DER. */
export const writeCertificate = (content: CertificateContent): Uint8Array => {
  const { key, hash } = content;
  const algorithm = signatureAlgorithm({ keyKind: key.asymmetricKeyType === "rsa" ? "rsa" : "ec", hash });
  const signed = sequence(
    explicit(0, smallInteger(2)),
    integer(makeSerial()),
    algorithm,
    content.issuer,
    sequence(certificateTime(content.from), certificateTime(content.to)),
    content.subject,
    content.publicKeyInfo,
    explicit(3, sequence(...content.extensions)),
  );
  return sequence(signed, algorithm, bitString(sign(hash, signed, key)));
};

/** 127 random bits, positive and not zero (RFC 5280, 4.1.2.2). */
const makeSerial = (): Uint8Array => {
  const bytes = randomBytes(16);
  bytes[0] = (bytes[0]! & 0x3f) | 0x40;
  return bytes;
};

/**
 * A Name of the form `CN=…, O=…, C=…`, as `describeName` shows it: no value holds a comma. Throws for an
 * unknown attribute.
 */
export const writeName = (text: string): Uint8Array =>
  sequence(
    ...text.split(", ").map((part) => {
      const at = part.indexOf("=");
      const [type, value] = [part.slice(0, at), part.slice(at + 1)];
      // A country is a PrintableString (RFC 5280, appendix A).
      const written =
        type === "C" ? der(tags.printableString, Buffer.from(value, "latin1")) : utf8String(value);
      return setOf(sequence(oid(idOfName(type)), written));
    }),
  );

/** An extension (RFC 5280, 4.2) around its value in DER. */
export const extension = (id: string, isCritical: boolean, value: Uint8Array): Uint8Array =>
  sequence(oid(id), ...(isCritical ? [boolean(true)] : []), octetString(value));

/** Whether the key may sign certificates, and how many authorities may follow. Critical. */
export const basicConstraints = (isAuthority: boolean, pathLength?: number): Uint8Array =>
  extension(
    oids.basicConstraints,
    true,
    sequence(
      ...(isAuthority ? [boolean(true)] : []),
      ...(pathLength === undefined ? [] : [smallInteger(pathLength)]),
    ),
  );

/** `bits`: the number of unused bits, then the byte (RFC 5280, 4.2.1.3). Critical. */
export const keyUsage = (bits: Uint8Array): Uint8Array =>
  extension(oids.keyUsage, true, der(tags.bitString, bits));

export const extendedKeyUsage = (purposes: readonly string[], isCritical = false): Uint8Array =>
  extension(oids.extendedKeyUsage, isCritical, sequence(...purposes.map(oid)));

/** The identifier of a key: SHA-1 of its bits (RFC 5280, 4.2.1.2). */
const keyIdOf = (publicKeyInfo: Uint8Array): Uint8Array => {
  const [, bits] = childrenWithTag(readDer(publicKeyInfo), tags.sequence);
  return octetString(createHash("sha1").update(bitStringOf(bits)).digest());
};

export const subjectKeyIdentifier = (publicKeyInfo: Uint8Array): Uint8Array =>
  extension(oids.subjectKeyIdentifier, false, keyIdOf(publicKeyInfo));

/** Names the key that signs, by its private key. */
export const authorityKeyIdentifier = (key: KeyObject): Uint8Array => {
  const info = createPublicKey(key).export({ type: "spki", format: "der" });
  return extension(oids.authorityKeyIdentifier, false, sequence(implicit(0, keyIdOf(info))));
};

/** `[6] IMPLICIT IA5String`: a web address among general names. */
const address = (url: string): Uint8Array => implicit(6, der(tags.ia5String, Buffer.from(url, "latin1")));

/** Places of the issuer's OCSP responder and of its certificate (RFC 5280, 4.2.2.1). */
export const authorityInformation = (places: {
  readonly ocsp?: string;
  readonly issuer?: string;
}): Uint8Array =>
  extension(
    oids.authorityInformation,
    false,
    sequence(
      ...(places.ocsp === undefined ? [] : [sequence(oid(oids.ocsp), address(places.ocsp))]),
      ...(places.issuer === undefined
        ? []
        : [sequence(oid(oids.issuerCertificates), address(places.issuer))]),
    ),
  );

/** The place of the list of revoked certificates (RFC 5280, 4.2.1.13). */
export const crlDistributionPoint = (url: string): Uint8Array =>
  extension(oids.crlDistributionPoints, false, sequence(sequence(explicit(0, explicit(0, address(url))))));
