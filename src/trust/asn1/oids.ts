/**
 * Object identifiers of RFC 5652 (CMS), 5035 and 6211 (its attributes), 3161 (time-stamps), 5280
 * (certificates, CRLs), 6960 (OCSP), 8017 and 5758 (signatures), and of the profiles of certificates.
 */
export const oids = {
  data: "1.2.840.113549.1.7.1",
  signedData: "1.2.840.113549.1.7.2",
  tstInfo: "1.2.840.113549.1.9.16.1.4",
  contentType: "1.2.840.113549.1.9.3",
  messageDigest: "1.2.840.113549.1.9.4",
  signingTime: "1.2.840.113549.1.9.5",
  algorithmProtection: "1.2.840.113549.1.9.52",
  timestampToken: "1.2.840.113549.1.9.16.2.14",
  signingCertificate: "1.2.840.113549.1.9.16.2.12",
  signingCertificateV2: "1.2.840.113549.1.9.16.2.47",
  timeStamping: "1.3.6.1.5.5.7.3.8",
  ocspSigning: "1.3.6.1.5.5.7.3.9",
  emailProtection: "1.3.6.1.5.5.7.3.4",
  documentSigning: "1.3.6.1.5.5.7.3.36",
  anyPurpose: "2.5.29.37.0",
  subjectKeyIdentifier: "2.5.29.14",
  keyUsage: "2.5.29.15",
  subjectAlternativeName: "2.5.29.17",
  basicConstraints: "2.5.29.19",
  crlNumber: "2.5.29.20",
  crlReason: "2.5.29.21",
  deltaCrlIndicator: "2.5.29.27",
  issuingDistributionPoint: "2.5.29.28",
  nameConstraints: "2.5.29.30",
  crlDistributionPoints: "2.5.29.31",
  authorityKeyIdentifier: "2.5.29.35",
  extendedKeyUsage: "2.5.29.37",
  authorityInformation: "1.3.6.1.5.5.7.1.1",
  ocsp: "1.3.6.1.5.5.7.48.1",
  ocspBasic: "1.3.6.1.5.5.7.48.1.1",
  ocspNonce: "1.3.6.1.5.5.7.48.1.2",
  ocspNoCheck: "1.3.6.1.5.5.7.48.1.5",
  issuerCertificates: "1.3.6.1.5.5.7.48.2",
  sha1: "1.3.14.3.2.26",
  sha256: "2.16.840.1.101.3.4.2.1",
  sha384: "2.16.840.1.101.3.4.2.2",
  sha512: "2.16.840.1.101.3.4.2.3",
  rsa: "1.2.840.113549.1.1.1",
  rsaPss: "1.2.840.113549.1.1.10",
  rsaSha256: "1.2.840.113549.1.1.11",
  rsaSha384: "1.2.840.113549.1.1.12",
  rsaSha512: "1.2.840.113549.1.1.13",
  mgf1: "1.2.840.113549.1.1.8",
  ecPublicKey: "1.2.840.10045.2.1",
  ecdsaSha256: "1.2.840.10045.4.3.2",
  ecdsaSha384: "1.2.840.10045.4.3.3",
  ecdsaSha512: "1.2.840.10045.4.3.4",
  ed25519: "1.3.101.112",
} as const;

/** A hash function that this project signs with and accepts. */
export type HashName = "sha256" | "sha384" | "sha512";

/** Hash functions of signatures, by their identifiers. SHA-1 is not among them. */
export const hashNames: ReadonlyMap<string, HashName> = new Map([
  [oids.sha256, "sha256"],
  [oids.sha384, "sha384"],
  [oids.sha512, "sha512"],
]);

/** Bytes of a hash. */
export const hashBytes: Readonly<Record<HashName, number>> = { sha256: 32, sha384: 48, sha512: 64 };

/** The hash function of a signature algorithm that names one: RSA (PKCS #1 v1.5) and ECDSA. */
export const signatureHashes: ReadonlyMap<string, HashName> = new Map([
  [oids.rsaSha256, "sha256"],
  [oids.rsaSha384, "sha384"],
  [oids.rsaSha512, "sha512"],
  [oids.ecdsaSha256, "sha256"],
  [oids.ecdsaSha384, "sha384"],
  [oids.ecdsaSha512, "sha512"],
]);
