/** A hash function of signatures and time-stamps. */
export type HashName = "sha256" | "sha384" | "sha512";

/** The public half of a signer. */
export type SignerIdentity = {
  readonly name: string;
  /** DER. */
  readonly certificate: Uint8Array;
  /** Issuers in DER, without the signer's own certificate; the root last where it is known. */
  readonly chain: readonly Uint8Array[];
  readonly keyKind: "rsa" | "ec";
  /** The hash that fits the key: P-384 signs over SHA-384, every other key over SHA-256. */
  readonly hash: HashName;
};

/**
 * Signs a whole message: RSA gives the value of RSASSA-PKCS1-v1_5 (RFC 8017, 8.2), an elliptic curve the DER
 * SEQUENCE of r and s (RFC 3279, 2.2.3). The signature was verified with the certificate. Fails with
 * signer_unusable.
 */
export type SignMessage = (message: Uint8Array) => Promise<Uint8Array>;

/**
 * A signer: a file, a token of PKCS#11, a remote service or the development authority. Made by `openSigner`
 * (trust/signers/open-signer.ts).
 */
export type Signer = SignerIdentity & { readonly sign: SignMessage };

/**
 * A time-stamp token (CMS in DER) over a digest, verified by the main thread. Fails with timestamp_failed.
 */
export type StampDigest = (hash: HashName, digest: Uint8Array) => Promise<Uint8Array>;

/** A question to a server that a certificate names. `body` is an OCSP request, which is sent by POST. */
export type ValidationQuestion = {
  readonly url: string;
  readonly kind: "ocsp" | "crl" | "certificate";
  readonly body?: Uint8Array;
  /** Asks past the kept answer, which the caller could not use, and keeps the new one. */
  readonly isAnew?: boolean;
};

/**
 * The bytes of an OCSP answer, a CRL or a certificate; undefined where the server gives none in time. Size
 * and time are bounded. The caller verifies the bytes. Made by `makeFetchValidation`
 * (revocation/fetch-validation.ts).
 */
export type FetchValidation = (question: ValidationQuestion) => Promise<Uint8Array | undefined>;

/** What a signing thread asks of the main thread, which alone holds keys and the way out. */
export type SigningPorts = {
  readonly sign: SignMessage;
  readonly stamp: StampDigest;
  readonly fetch: FetchValidation;
};

/** Certificates, OCSP answers and CRLs in DER. */
export type ValidationData = {
  readonly certificates: readonly Uint8Array[];
  readonly ocsps: readonly Uint8Array[];
  readonly crls: readonly Uint8Array[];
};

/** Validation data for the whole file, and which of it belongs to which signature (VRI). */
export type ValidationMaterial = ValidationData & {
  /** `contents` are padded, as in the file. */
  readonly related: readonly (ValidationData & { readonly contents: Uint8Array })[];
};
