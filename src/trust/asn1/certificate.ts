import {
  bitStringOf,
  booleanOf,
  childrenOf,
  childrenWithTag,
  contextTag,
  type Der,
  DerError,
  eitherTimeOf,
  expectTag,
  hasBit,
  oidOf,
  readDer,
  tags,
} from "./der.ts";
import { crlAddressesOf, webAddressesOf } from "./names.ts";
import { oids } from "./oids.ts";

/** Names of the bits of keyUsage, in their order (RFC 5280, 4.2.1.3). */
const usages = [
  "digitalSignature",
  "nonRepudiation",
  "keyEncipherment",
  "dataEncipherment",
  "keyAgreement",
  "keyCertSign",
  "cRLSign",
] as const;

/** A use of a key. */
export type KeyUsage = (typeof usages)[number];

/** An extension: whether a reader must understand it, and its value in DER. */
export type Extension = { readonly isCritical: boolean; readonly value: Uint8Array };

/** A certificate (RFC 5280, 4.1). Made by {@link readCertificate}; its signature is not verified. */
export type Certificate = {
  /** The whole certificate in DER. */
  readonly bytes: Uint8Array;
  /** Content of the serial number, big-endian. */
  readonly serial: Uint8Array;
  /** The Name of the issuer in DER. */
  readonly issuer: Uint8Array;
  /** The Name of the subject in DER. */
  readonly subject: Uint8Array;
  /** SubjectPublicKeyInfo in DER. */
  readonly publicKeyInfo: Uint8Array;
  /** subjectPublicKey without the byte of unused bits: what OCSP hashes (RFC 6960, 4.1.1). */
  readonly keyBits: Uint8Array;
  /** First and last millisecond since 1970 of its validity. */
  readonly validFrom: number;
  readonly validTo: number;
  readonly extensions: ReadonlyMap<string, Extension>;
  /** Undefined where the certificate does not limit the use of its key. */
  readonly keyUsage: ReadonlySet<KeyUsage> | undefined;
  /** Identifiers of the extended key usage; undefined where the certificate has none. */
  readonly purposes: readonly string[] | undefined;
  readonly ocspUrls: readonly string[];
  readonly issuerUrls: readonly string[];
  readonly crlUrls: readonly string[];
  /** Whether it may issue certificates: the extension basicConstraints says so. */
  readonly isAuthority: boolean;
  /** Greatest number of authorities below it, where it limits them. */
  readonly pathLengthMax: number | undefined;
  /** Whether issuer and subject are the same name. */
  readonly isSelfIssued: boolean;
  /** Whether it is a responder's that is not asked about (RFC 6960, 4.2.2.2.1). */
  readonly hasNoCheck: boolean;
  readonly subjectKeyId: Uint8Array | undefined;
  readonly authorityKeyId: Uint8Array | undefined;
  /** The bytes that its signature covers, the AlgorithmIdentifier and the signature. */
  readonly signedBytes: Uint8Array;
  readonly algorithm: Der;
  readonly signature: Uint8Array;
};

/** A longer certificate is refused. */
const certificateBytesMax = 65_536;

/** Reads a certificate. Throws DerError for any other bytes. */
export const readCertificate = (bytes: Uint8Array): Certificate => {
  if (bytes.length > certificateBytesMax) throw new DerError("A certificate is too long");
  const [toBeSigned, algorithm, signature] = childrenWithTag(readDer(bytes), tags.sequence);
  const all = childrenWithTag(toBeSigned, tags.sequence);
  const [serial, , issuer, validity, subject, keyInfo, ...rest] =
    all[0]?.tag === contextTag(0) ? all.slice(1) : all;
  const [from, to] = childrenWithTag(validity, tags.sequence);
  const [, key] = childrenWithTag(keyInfo, tags.sequence);
  const names = {
    issuer: expectTag(issuer, tags.sequence).bytes,
    subject: expectTag(subject, tags.sequence).bytes,
  };
  const extensions = readExtensions(rest.find(({ tag }) => tag === contextTag(3)));
  return {
    bytes,
    serial: expectTag(serial, tags.integer).content,
    ...names,
    isSelfIssued: Buffer.compare(names.issuer, names.subject) === 0,
    publicKeyInfo: expectTag(keyInfo, tags.sequence).bytes,
    keyBits: bitStringOf(key),
    validFrom: eitherTimeOf(from),
    validTo: eitherTimeOf(to),
    extensions,
    ...readLimits(extensions),
    ...readAddresses(extensions),
    ...readKeyIds(extensions),
    hasNoCheck: extensions.has(oids.ocspNoCheck),
    signedBytes: expectTag(toBeSigned, tags.sequence).bytes,
    algorithm: expectTag(algorithm, tags.sequence),
    signature: bitStringOf(signature),
  };
};

/** The extensions of a certificate or a CRL inside their tag. Throws DerError if one occurs twice. */
export const readExtensions = (wrapped: Der | undefined): ReadonlyMap<string, Extension> => {
  const extensions = new Map<string, Extension>();
  const [list] = wrapped === undefined ? [] : childrenOf(wrapped);
  for (const extension of list === undefined ? [] : childrenWithTag(list, tags.sequence)) {
    const [type, second, third] = childrenWithTag(extension, tags.sequence);
    const id = oidOf(type);
    if (extensions.has(id)) throw new DerError("An extension stands there twice");
    extensions.set(id, {
      isCritical: second?.tag === tags.boolean && booleanOf(second),
      value: expectTag(third ?? second, tags.octetString).content,
    });
  }
  return extensions;
};

const valueOf = (extensions: ReadonlyMap<string, Extension>, id: string): Der | undefined => {
  const extension = extensions.get(id);
  return extension && readDer(extension.value);
};

const readLimits = (extensions: ReadonlyMap<string, Extension>) => {
  const usage = valueOf(extensions, oids.keyUsage);
  const purposes = valueOf(extensions, oids.extendedKeyUsage);
  const constraints = valueOf(extensions, oids.basicConstraints);
  const parts = constraints === undefined ? [] : childrenWithTag(constraints, tags.sequence);
  const length = parts.find(({ tag }) => tag === tags.integer);
  return {
    keyUsage: usage && new Set(usages.filter((_, bit) => hasBit(usage, bit))),
    purposes: purposes && childrenWithTag(purposes, tags.sequence).map(oidOf),
    isAuthority: parts[0]?.tag === tags.boolean && booleanOf(parts[0]),
    // A length of more than one byte limits nothing that a reader would follow.
    pathLengthMax: length?.content.length === 1 ? length.content[0] : undefined,
  };
};

const readAddresses = (extensions: ReadonlyMap<string, Extension>) => {
  const information = valueOf(extensions, oids.authorityInformation);
  const accesses = (information === undefined ? [] : childrenWithTag(information, tags.sequence)).map((one) =>
    childrenWithTag(one, tags.sequence),
  );
  const addressesFor = (method: string): readonly string[] =>
    accesses.filter(([type]) => oidOf(type) === method).flatMap(([, ...names]) => webAddressesOf(names));
  const points = valueOf(extensions, oids.crlDistributionPoints);
  return {
    ocspUrls: addressesFor(oids.ocsp),
    issuerUrls: addressesFor(oids.issuerCertificates),
    crlUrls: points === undefined ? [] : crlAddressesOf(points),
  };
};

const readKeyIds = (extensions: ReadonlyMap<string, Extension>) => {
  const own = valueOf(extensions, oids.subjectKeyIdentifier);
  const authority = valueOf(extensions, oids.authorityKeyIdentifier);
  const fields = authority === undefined ? [] : childrenWithTag(authority, tags.sequence);
  return {
    subjectKeyId: own && expectTag(own, tags.octetString).content,
    authorityKeyId: fields.find(({ tag }) => tag === contextTag(0, false))?.content,
  };
};
