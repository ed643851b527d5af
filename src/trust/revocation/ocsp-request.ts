import type { Certificate } from "#trust/asn1/certificate";
import { childrenWithTag, contextTag, type Der, insideOf, oidOf, readDer, tags } from "#trust/asn1/der";
import { oids } from "#trust/asn1/oids";
import { sequence } from "#trust/asn1/write-der";
import { writeCertificateId } from "./certificate-id.ts";

/**
 * An OCSP request for one certificate (RFC 6960, 4.1.1). Without a nonce: responders that sign their answers
 * in advance refuse it, and the times of the answer bound its age (RFC 5019, 2.1.1).
 */
export const writeOcspRequest = (certificate: Certificate, issuer: Certificate): Uint8Array =>
  sequence(sequence(sequence(sequence(writeCertificateId(certificate, issuer)))));

/** A read OCSP request: the CertIDs, and the extension with the nonce, if it has one. */
export type OcspRequest = { readonly ids: readonly Der[]; readonly nonce: Uint8Array | undefined };

/** More certificates in one request than this are refused. */
const idsMax = 16;

/** Reads an OCSP request. Throws DerError for any other bytes. */
export const readOcspRequest = (bytes: Uint8Array): OcspRequest => {
  const [toBeSigned] = childrenWithTag(readDer(bytes), tags.sequence);
  const fields = childrenWithTag(toBeSigned, tags.sequence);
  const list = fields.find(({ tag }) => tag === tags.sequence);
  const extensions = fields.find(({ tag }) => tag === contextTag(2));
  const found =
    extensions === undefined ? [] : childrenWithTag(insideOf(extensions, contextTag(2)), tags.sequence);
  return {
    ids: childrenWithTag(list, tags.sequence)
      .slice(0, idsMax)
      .map((request) => childrenWithTag(request, tags.sequence)[0]!),
    nonce: found.find((one) => oidOf(childrenWithTag(one, tags.sequence)[0]) === oids.ocspNonce)?.bytes,
  };
};
