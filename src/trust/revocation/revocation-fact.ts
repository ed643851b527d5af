import type { Certificate } from "#trust/asn1/certificate";

/**
 * What verified evidence states of one certificate. Times are milliseconds since 1970. A revocation for the
 * reason certificateHold (6) counts like any other: only a later answer could lift it.
 */
export type RevocationFact = {
  readonly status:
    | { readonly kind: "good" | "unknown" }
    | { readonly kind: "revoked"; readonly at: number; readonly reason: number | undefined };
  readonly source: "ocsp" | "crl";
  /** The time for which the status holds. */
  readonly thisUpdate: number;
  readonly nextUpdate: number | undefined;
  /** The certificate that signed the evidence: the issuer, or its OCSP responder. */
  readonly by: Certificate;
  /** The evidence in DER. */
  readonly bytes: Uint8Array;
};

/** Evidence that says nothing about a certificate, and why. */
export type Unusable = { readonly unusable: string };
