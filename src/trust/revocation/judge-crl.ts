import type { Certificate } from "#trust/asn1/certificate";
import {
  booleanOf,
  childrenOf,
  childrenWithTag,
  contextTag,
  type Der,
  readDer,
  tags,
  withTag,
} from "#trust/asn1/der";
import { webAddressesOf } from "#trust/asn1/names";
import { oids } from "#trust/asn1/oids";
import { isSignedBy } from "#trust/asn1/verify-signature";
import { isSame } from "./certificate-id.ts";
import type { IsSignedBy } from "./find-chain.ts";
import { type Crl, findInCrl } from "./read-crl.ts";
import type { RevocationFact, Unusable } from "./revocation-fact.ts";

/** What the extension issuingDistributionPoint says against a list (RFC 5280, 5.2.5). */
const judgeScope = (value: Uint8Array, { isAuthority, crlUrls }: Certificate): string | undefined => {
  const fields = childrenWithTag(readDer(value), tags.sequence);
  const isSet = (number: number): boolean => {
    const field = fields.find(({ tag }) => tag === contextTag(number, false));
    return field !== undefined && booleanOf(withTag(field, tags.boolean));
  };
  if (isSet(1) && isAuthority) return "the CRL is for certificates that are not of authorities";
  if (isSet(2) && !isAuthority) return "the CRL is for certificates of authorities";
  if (isSet(4) || isSet(5)) return "the CRL is indirect, or for attribute certificates";
  if (fields.some(({ tag }) => tag === contextTag(3, false))) return "the CRL is for some reasons alone";
  const places = placesOf(fields[0]?.tag === contextTag(0) ? fields[0] : undefined);
  const isOther = places.length > 0 && !places.some((place) => crlUrls.includes(place));
  return isOther ? "the CRL is of another place than the certificate names" : undefined;
};

/** Web addresses of a distributionPoint with full names. */
const placesOf = (point: Der | undefined): readonly string[] => {
  const names = point && childrenOf(point).find(({ tag }) => tag === contextTag(0));
  return names === undefined ? [] : webAddressesOf(childrenOf(names));
};

const judgeExtensions = ({ extensions }: Crl, certificate: Certificate): string | undefined => {
  if (extensions.has(oids.deltaCrlIndicator)) return "the CRL holds only changes of another one";
  const scope = extensions.get(oids.issuingDistributionPoint);
  const refusal = scope && judgeScope(scope.value, certificate);
  if (refusal !== undefined) return refusal;
  const strange = [...extensions].find(
    ([id, { isCritical }]) => isCritical && id !== oids.issuingDistributionPoint,
  );
  return strange && `the extension ${strange[0]} of the CRL is not understood`;
};

/** Verifies a CRL for one certificate of this issuer. Throws DerError for bytes in another form. */
export const judgeCrl = (
  crl: Crl,
  certificate: Certificate,
  issuer: Certificate,
  isSigned: IsSignedBy = isSignedBy,
): RevocationFact | Unusable => {
  if (!isSame(crl.issuer, issuer.subject)) return { unusable: "the CRL is of another issuer" };
  const refusal = judgeExtensions(crl, certificate);
  if (refusal !== undefined) return { unusable: refusal };
  if (issuer.keyUsage?.has("cRLSign") === false) return { unusable: "the issuer may not sign CRLs" };
  if (!isSigned(crl, issuer)) return { unusable: "the signature of the CRL is not valid" };
  const entry = findInCrl(crl, certificate.serial);
  const status =
    entry === undefined
      ? ({ kind: "good" } as const)
      : ({ kind: "revoked", at: entry.at, reason: entry.reason } as const);
  const { thisUpdate, nextUpdate, bytes } = crl;
  return { status, source: "crl", thisUpdate, nextUpdate, by: issuer, bytes };
};
