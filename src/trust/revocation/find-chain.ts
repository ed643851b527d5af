import { type Certificate, readCertificate } from "#trust/asn1/certificate";
import { DerError } from "#trust/asn1/der";
import { commonNameOf } from "#trust/asn1/names";
import { readSignedData } from "#trust/asn1/signed-data";
import { isSignedBy, type SignedBytes } from "#trust/asn1/verify-signature";
import { askUsable } from "./bound-fetch.ts";
import { isSame } from "./certificate-id.ts";
import type { FetchValidation } from "./ports.ts";

/** A longer chain is refused. */
export const chainMax = 8;

/** A certificate may name more places of its issuer than these: they are not asked. */
const placesMax = 2;

/** Whether these bytes are signed by the key of a certificate. */
export type IsSignedBy = (one: SignedBytes, by: Pick<Certificate, "publicKeyInfo">) => boolean;

/**
 * Whether one certificate issued the other: names, key, and the right to issue. `isSigned` may remember what
 * it verified.
 */
export const hasIssued = (
  issuer: Certificate,
  one: Certificate,
  isSigned: IsSignedBy = isSignedBy,
): boolean =>
  issuer.isAuthority &&
  issuer.keyUsage?.has("keyCertSign") !== false &&
  isSame(issuer.subject, one.issuer) &&
  !isSame(issuer.bytes, one.bytes) &&
  isSigned(one, issuer);

/** Reads certificates; those that cannot be read are left out. */
export const readCertificates = (all: readonly Uint8Array[]): readonly Certificate[] =>
  all.flatMap((bytes) => {
    try {
      return [readCertificate(bytes)];
    } catch (error) {
      if (error instanceof DerError) return [];
      throw error;
    }
  });

/** The common name of a subject (DER). A name in another form has none. */
export const nameOf = (name: Uint8Array): string => {
  try {
    return commonNameOf(name);
  } catch (error) {
    if (error instanceof DerError) return "an unreadable name";
    throw error;
  }
};

/** A caIssuers place holds one certificate, or certificates in a CMS (RFC 5280, 4.2.2.1). */
export const readIssuers = (bytes: Uint8Array): readonly Certificate[] => {
  const [one] = readCertificates([bytes]);
  if (one !== undefined) return [one];
  try {
    return readCertificates(readSignedData(bytes).certificates);
  } catch (error) {
    if (error instanceof DerError) return [];
    throw error;
  }
};

const fetchIssuer = async (one: Certificate, fetch: FetchValidation): Promise<Certificate | undefined> => {
  for (const url of one.issuerUrls.slice(0, placesMax)) {
    const issuer = await askUsable({ url, kind: "certificate" }, fetch, (bytes) =>
      readIssuers(bytes).find((found) => hasIssued(found, one)),
    );
    if (issuer !== undefined) return issuer;
  }
  return undefined;
};

/**
 * A chain from a certificate to the last issuer that was found. `isComplete`: it ends with a root, which
 * names itself as issuer.
 */
export type Chain = { readonly certificates: readonly Certificate[]; readonly isComplete: boolean };

/**
 * Follows the issuers of a certificate among the given ones, and where they miss one, at the place that the
 * certificate names.
 */
export const findChain = async (
  leaf: Certificate,
  pool: readonly Certificate[],
  fetch: FetchValidation,
): Promise<Chain> => {
  const certificates = [leaf];
  let current = leaf;
  while (!current.isSelfIssued && certificates.length < chainMax) {
    const below = current;
    const issuer = pool.find((one) => hasIssued(one, below)) ?? (await fetchIssuer(below, fetch));
    if (issuer === undefined) break;
    certificates.push(issuer);
    current = issuer;
  }
  return { certificates, isComplete: current.isSelfIssued };
};
