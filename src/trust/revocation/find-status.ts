import type { Certificate } from "#trust/asn1/certificate";
import { DerError } from "#trust/asn1/der";
import { askUsable } from "./bound-fetch.ts";
import { judgeCrl } from "./judge-crl.ts";
import { clockSkewMs, judgeFact } from "./judge-fact.ts";
import { judgeOcsp } from "./judge-ocsp.ts";
import { writeOcspRequest } from "./ocsp-request.ts";
import type { FetchValidation, ValidationQuestion } from "./ports.ts";
import { readCrl } from "./read-crl.ts";
import { readOcsp } from "./read-ocsp.ts";
import type { RevocationFact, Unusable } from "./revocation-fact.ts";

/** The status of a certificate now, or in words why it is not known. */
export type FoundStatus = RevocationFact | { readonly missing: string };

/** A certificate may name more places than these: they are not asked. */
const placesMax = 3;

const hostOf = (url: string): string => URL.parse(url)?.host ?? "its URL";

const questionsOf = (certificate: Certificate, issuer: Certificate): readonly ValidationQuestion[] => [
  ...certificate.ocspUrls
    .slice(0, placesMax)
    .map((url) => ({ url, kind: "ocsp", body: writeOcspRequest(certificate, issuer) }) as const),
  ...certificate.crlUrls.slice(0, placesMax).map((url) => ({ url, kind: "crl" }) as const),
];

const readFact = (
  question: ValidationQuestion,
  bytes: Uint8Array,
  certificate: Certificate,
  issuer: Certificate,
): RevocationFact | Unusable => {
  try {
    return question.kind === "ocsp"
      ? judgeOcsp(readOcsp(bytes), certificate, issuer)
      : judgeCrl(readCrl(bytes), certificate, issuer);
  } catch (error) {
    if (error instanceof DerError) return { unusable: error.message };
    throw error;
  }
};

/** Why a fact does not show the present status; undefined if it does. */
const refusalOf = (fact: RevocationFact, certificate: Certificate, now: number): string | undefined => {
  if (fact.thisUpdate > now + clockSkewMs) return "the status is from the future";
  const status = judgeFact(fact, certificate, now);
  return status.kind === "undecided" ? status.reason : undefined;
};

/**
 * Asks for the status of a certificate: the OCSP responders that it names, then the CRLs. The first answer
 * that is current, and whose signature holds, counts. Times are milliseconds since 1970.
 */
export const findStatus = async (
  certificate: Certificate,
  issuer: Certificate,
  fetch: FetchValidation,
  now: number,
): Promise<FoundStatus> => {
  const reasons: string[] = [];
  for (const question of questionsOf(certificate, issuer)) {
    let refusal = "no answer";
    const usable = await askUsable(question, fetch, (bytes) => {
      const fact = readFact(question, bytes, certificate, issuer);
      const reason = "unusable" in fact ? fact.unusable : refusalOf(fact, certificate, now);
      if (reason !== undefined) refusal = reason;
      return "unusable" in fact || reason !== undefined ? undefined : fact;
    });
    if (usable !== undefined) return usable;
    reasons.push(`${hostOf(question.url)}: ${refusal}`);
  }
  return { missing: reasons.length === 0 ? "it names neither OCSP nor CRL" : reasons.join("; ") };
};
