import { createHash } from "node:crypto";
import type { Certificate } from "#trust/asn1/certificate";
import { contextTag, type Der, insideOf, tags } from "#trust/asn1/der";
import { oids } from "#trust/asn1/oids";
import { isSignedBy } from "#trust/asn1/verify-signature";
import { isSame, serialUnder } from "./certificate-id.ts";
import type { IsSignedBy } from "./find-chain.ts";
import type { OcspAnswer } from "./read-ocsp.ts";
import type { RevocationFact, Unusable } from "./revocation-fact.ts";

const isNamed = (id: Der, { subject, keyBits }: Certificate): boolean => {
  if (id.tag === contextTag(1)) return isSame(insideOf(id, contextTag(1)).bytes, subject);
  const { tag, content } = insideOf(id, contextTag(2));
  return tag === tags.octetString && isSame(content, createHash("sha1").update(keyBits).digest());
};

/**
 * The certificate of the responder: the issuer itself, or one that the issuer made for OCSP (RFC 6960,
 * 4.2.2.2), valid when the answer was made.
 */
const findResponder = (
  answer: OcspAnswer,
  issuer: Certificate,
  isSigned: IsSignedBy,
): Certificate | undefined => {
  if (isNamed(answer.responderId, issuer)) return issuer;
  const { producedAt } = answer;
  return answer.certificates.find(
    (one) =>
      isNamed(answer.responderId, one) &&
      one.purposes?.includes(oids.ocspSigning) === true &&
      one.validFrom <= producedAt &&
      producedAt <= one.validTo &&
      isSame(one.issuer, issuer.subject) &&
      isSigned(one, issuer),
  );
};

/** Verifies an OCSP answer for one certificate of this issuer. Throws DerError for bytes in another form. */
export const judgeOcsp = (
  answer: OcspAnswer,
  { serial }: Pick<Certificate, "serial">,
  issuer: Certificate,
  isSigned: IsSignedBy = isSignedBy,
): RevocationFact | Unusable => {
  const single = answer.singles.find(({ id }) => {
    const named = serialUnder(id, issuer);
    return named !== undefined && isSame(named, serial);
  });
  if (single === undefined) return { unusable: "the OCSP answer is about another certificate" };
  const by = findResponder(answer, issuer, isSigned);
  if (by === undefined) return { unusable: "the issuer did not entitle the OCSP responder" };
  if (!isSigned(answer, by)) return { unusable: "the signature of the OCSP answer is not valid" };
  const { status, thisUpdate, nextUpdate } = single;
  return { status, source: "ocsp", thisUpdate, nextUpdate, by, bytes: answer.bytes };
};
