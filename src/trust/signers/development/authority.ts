import { type Certificate, readCertificate } from "#trust/asn1/certificate";
import type { ValidationQuestion } from "#trust/revocation/ports";
import { type AuthorityKey, type CertificateStatus, respondOcsp } from "#trust/revocation/respond-ocsp";
import { writeCrl } from "#trust/revocation/write-crl";
import type { Issued } from "../issue-certificate.ts";
import { makeSigner, type OpenedSigner, signWithKey } from "../make-signer.ts";
import type { DevelopmentKeys } from "./make-keys.ts";
import { authorityUrls } from "./urls.ts";

/** The authority of a development start. It answers in this process and proves nothing to others. */
export type DevelopmentAuthority = {
  /** Its root certificate in DER. */
  readonly root: Uint8Array;
  /** Signs documents. */
  readonly signer: OpenedSigner;
  /** Signs time-stamps. */
  readonly stamper: OpenedSigner;
  /** The answer to a question under one of its URLs; undefined for another URL. */
  readonly answer: (question: ValidationQuestion) => Uint8Array | undefined;
};

/** An answer holds for an hour: it is asked anew for every signature. */
const validMs = 3_600_000;

const authorityKeyOf = ({ certificate, key }: Issued): AuthorityKey => ({
  certificate: readCertificate(certificate),
  key,
  keyKind: "ec",
  hash: "sha256",
});

const serialOf = ({ serial }: Certificate): string => Buffer.from(serial).toString("hex");

/**
 * Opens the authority of these keys. It revokes nothing, and states of certificates of other authorities that
 * it has none.
 */
export const openDevelopmentAuthority = (keys: DevelopmentKeys, clock: () => Date): DevelopmentAuthority => {
  const { root, issuing, signer, stamper, responder } = keys;
  const chain = [issuing.certificate, root.certificate];
  const issuer = readCertificate(issuing.certificate);
  const issued = new Set(
    [signer, stamper, responder].map((one) => serialOf(readCertificate(one.certificate))),
  );
  const statusOf = (serial: string): CertificateStatus => ({ kind: issued.has(serial) ? "good" : "unknown" });
  const respondAs = authorityKeyOf(responder);
  const listOf = (owner: Issued): Uint8Array => {
    const now = clock();
    // The number of a CRL grows with every issue (RFC 5280, 5.2.3): seconds since 2020 do.
    const number = Math.floor(now.getTime() / 1000) - 1_577_836_800;
    const nextUpdate = new Date(now.getTime() + validMs);
    return writeCrl({ issuer: authorityKeyOf(owner), number, thisUpdate: now, nextUpdate });
  };
  const answers: Readonly<Record<string, (body: Uint8Array) => Uint8Array>> = {
    [authorityUrls.ocsp]: (body) =>
      respondOcsp(body, { issuer, responder: respondAs, statusOf, now: clock(), validMs }),
    [authorityUrls.issuing]: () => issuing.certificate,
    [authorityUrls.root]: () => root.certificate,
    [authorityUrls.issuingCrl]: () => listOf(issuing),
    [authorityUrls.rootCrl]: () => listOf(root),
  };
  return {
    root: root.certificate,
    signer: makeSigner(signer.certificate, chain, signWithKey(signer.key)),
    stamper: makeSigner(stamper.certificate, chain, signWithKey(stamper.key)),
    answer: ({ url, body = new Uint8Array() }) => answers[url]?.(body),
  };
};
