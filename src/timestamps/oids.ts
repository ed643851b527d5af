/** Object identifiers of RFC 5652, 3161, 5816, 5280, 8017 and 5758. */
export const oids = {
  signedData: "1.2.840.113549.1.7.2",
  tstInfo: "1.2.840.113549.1.9.16.1.4",
  contentType: "1.2.840.113549.1.9.3",
  messageDigest: "1.2.840.113549.1.9.4",
  signingCertificate: "1.2.840.113549.1.9.16.2.12",
  signingCertificateV2: "1.2.840.113549.1.9.16.2.47",
  timeStamping: "1.3.6.1.5.5.7.3.8",
  extendedKeyUsage: "2.5.29.37",
  subjectKeyIdentifier: "2.5.29.14",
  sha1: "1.3.14.3.2.26",
  sha256: "2.16.840.1.101.3.4.2.1",
  sha384: "2.16.840.1.101.3.4.2.2",
  sha512: "2.16.840.1.101.3.4.2.3",
  rsa: "1.2.840.113549.1.1.1",
  rsaPss: "1.2.840.113549.1.1.10",
  ed25519: "1.3.101.112",
} as const;

/** Hash functions of signatures, by their identifiers. SHA-1 is not among them. */
export const hashNames: ReadonlyMap<string, string> = new Map([
  [oids.sha256, "sha256"],
  [oids.sha384, "sha384"],
  [oids.sha512, "sha512"],
]);

/** The hash function of a signature algorithm that names one: RSA (PKCS #1 v1.5) and ECDSA. */
export const signatureHashes: ReadonlyMap<string, string> = new Map([
  ["1.2.840.113549.1.1.11", "sha256"],
  ["1.2.840.113549.1.1.12", "sha384"],
  ["1.2.840.113549.1.1.13", "sha512"],
  ["1.2.840.10045.4.3.2", "sha256"],
  ["1.2.840.10045.4.3.3", "sha384"],
  ["1.2.840.10045.4.3.4", "sha512"],
]);
