import type { Certificate } from "#trust/asn1/certificate";
import { readSignedData } from "#trust/asn1/signed-data";

/** The certificate of the authority that made a token; undefined where the token does not enclose it. */
export const stamperOf = (token: Uint8Array): Certificate | undefined =>
  readSignedData(token).signers[0]?.signerCertificate;

/** Until when a token proves by itself: the end of its authority's certificate. */
export const tokenEnd = (token: Uint8Array): Date | undefined => {
  const stamper = stamperOf(token);
  return stamper && new Date(stamper.validTo);
};
