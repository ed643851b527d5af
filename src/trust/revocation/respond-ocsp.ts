import { createHash, type KeyObject, sign } from "node:crypto";
import type { Certificate } from "#trust/asn1/certificate";
import { DerError, tags } from "#trust/asn1/der";
import { oids } from "#trust/asn1/oids";
import { bitString, der, explicit, generalizedTime, octetString, oid, sequence } from "#trust/asn1/write-der";
import { signatureAlgorithm } from "#trust/asn1/write-signed-data";
import { serialUnder } from "./certificate-id.ts";
import { readOcspRequest } from "./ocsp-request.ts";
import type { HashName } from "./ports.ts";

/** What an authority states of one of its certificates. */
export type CertificateStatus =
  | { readonly kind: "good" }
  | { readonly kind: "unknown" }
  | { readonly kind: "revoked"; readonly at: Date };

/** A key of an authority that answers and issues lists, with its certificate. */
export type AuthorityKey = {
  readonly certificate: Certificate;
  readonly key: KeyObject;
  readonly keyKind: "rsa" | "ec";
  readonly hash: HashName;
};

export type ResponderOptions = {
  /** The authority whose certificates are asked about. */
  readonly issuer: Certificate;
  /** The authority's own key, or one of a certificate for OCSP that it issued. */
  readonly responder: AuthorityKey;
  /** By the serial number in hex. */
  readonly statusOf: (serial: string) => CertificateStatus;
  readonly now: Date;
  /** Time for which the answer holds. */
  readonly validMs: number;
};

const empty = new Uint8Array();

const writeStatus = (status: CertificateStatus): Uint8Array => {
  if (status.kind === "revoked") return explicit(1, generalizedTime(status.at));
  return der(status.kind === "good" ? 0x80 : 0x82, empty);
};

/** An OCSPResponse with a status alone (RFC 6960, 4.2.1). */
export const refuseOcsp = (status: 1 | 2 | 3 | 6): Uint8Array =>
  sequence(der(tags.enumerated, Uint8Array.of(status)));

/** Answers an OCSP request (RFC 6960, 4.2.1). Bytes that are no request get the answer malformedRequest. */
export const respondOcsp = (request: Uint8Array, options: ResponderOptions): Uint8Array => {
  try {
    return answer(request, options);
  } catch (error) {
    if (error instanceof DerError) return refuseOcsp(1);
    throw error;
  }
};

const answer = (request: Uint8Array, { issuer, responder, statusOf, now, validMs }: ResponderOptions) => {
  const { ids, nonce } = readOcspRequest(request);
  const nextUpdate = explicit(0, generalizedTime(new Date(now.getTime() + validMs)));
  const singles = ids.map((id) => {
    const serial = serialUnder(id, issuer);
    const status =
      serial === undefined ? ({ kind: "unknown" } as const) : statusOf(Buffer.from(serial).toString("hex"));
    return sequence(id.bytes, writeStatus(status), generalizedTime(now), nextUpdate);
  });
  const { certificate, key, hash } = responder;
  const data = sequence(
    explicit(2, octetString(createHash("sha1").update(certificate.keyBits).digest())),
    generalizedTime(now),
    sequence(...singles),
    ...(nonce === undefined ? [] : [explicit(1, sequence(nonce))]),
  );
  const basic = sequence(
    data,
    signatureAlgorithm(responder),
    bitString(sign(hash, data, key)),
    explicit(0, sequence(certificate.bytes)),
  );
  return sequence(
    der(tags.enumerated, Uint8Array.of(0)),
    explicit(0, sequence(oid(oids.ocspBasic), octetString(basic))),
  );
};
