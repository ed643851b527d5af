import { type Certificate, readCertificate } from "#trust/asn1/certificate";
import { allowsPurpose, areNamesAllowed } from "#trust/asn1/judge-constraints";
import { describeName } from "#trust/asn1/names";
import { isSignedBy } from "#trust/asn1/verify-signature";
import type { SignerIdentity } from "#trust/revocation/ports";
import { describeKey } from "./describe-key.ts";
import { documentPurposes, isForDocuments } from "./judge-use.ts";

/** The reason why a signer must not sign, in words that follow 'The certificate of …:'. */
export type SignerFault = {
  readonly reason: "expired" | "not yet valid" | "wrong use" | "weak key" | "broken chain";
  readonly words: string;
};

const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);

/**
 * Why a certificate is of no signer of documents, by the rule of verifications; undefined where it is of one.
 */
export const judgeUse = (certificate: Certificate): string | undefined => {
  if (certificate.isAuthority) return "it is of an authority, which signs certificates and no documents";
  return isForDocuments(certificate)
    ? undefined
    : "its key usage or its extended key usage allows no signature of documents";
};

/** Judges one certificate at a time (milliseconds since 1970) by its validity alone. */
export const judgeValidity = ({ validFrom, validTo }: Certificate, at: number): SignerFault | undefined => {
  if (at < validFrom) return { reason: "not yet valid", words: `it is valid from ${dayOf(validFrom)}` };
  return at > validTo ? { reason: "expired", words: `it expired on ${dayOf(validTo)}` } : undefined;
};

/**
 * Judges at a time (milliseconds since 1970) whether a signer may sign: its validity and that of its issuers,
 * its use, its key, and that each certificate is signed by the next. Revocation is judged where it is asked
 * (revocation/).
 */
export const judgeSigner = (
  { certificate: bytes, chain }: Pick<SignerIdentity, "certificate" | "chain">,
  at: number,
): SignerFault | undefined => {
  const certificate = readCertificate(bytes);
  const own = judgeValidity(certificate, at) ?? judgeKeyAndUse(certificate);
  if (own !== undefined) return own;
  let below = certificate;
  for (const issuer of chain.map(readCertificate)) {
    const name = describeName(issuer.subject);
    const fault = judgeValidity(issuer, at);
    if (fault !== undefined) return { ...fault, words: `its issuer ${name}: ${fault.words}` };
    if (!isSignedBy(below, issuer)) {
      return { reason: "broken chain", words: `${describeName(below.subject)} is not signed by ${name}` };
    }
    below = issuer;
  }
  return judgeConstraints([certificate, ...chain.map(readCertificate)]);
};

/** Verifications take a signer for unfit whose names or purpose its issuers exclude. */
const judgeConstraints = (chain: readonly Certificate[]): SignerFault | undefined => {
  if (!areNamesAllowed(chain))
    return { reason: "wrong use", words: "its names are not within the constraints of its issuers" };
  return allowsPurpose(chain, documentPurposes)
    ? undefined
    : { reason: "wrong use", words: "the extended key usage of an issuer allows no signature of documents" };
};

const judgeKeyAndUse = (certificate: Certificate): SignerFault | undefined => {
  const use = judgeUse(certificate);
  if (use !== undefined) return { reason: "wrong use", words: use };
  const key = describeKey(certificate);
  return "fault" in key ? { reason: "weak key", words: key.fault } : undefined;
};
