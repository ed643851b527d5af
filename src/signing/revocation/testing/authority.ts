import { type Certificate, readCertificate } from "#asn1/certificate";
import {
  type CertificateOrder,
  type Issued,
  issueCertificate,
  type KeyForm,
} from "../../keys/issue-certificate.ts";
import type { ValidationAsk } from "../../ports.ts";
import { type AuthorityKey, type CertificateStatus, respondOcsp } from "../respond-ocsp.ts";
import { type CrlOptions, writeCrl } from "../write-crl.ts";

const hourMs = 3_600_000;
const yearMs = 365.25 * 24 * hourMs;

const authorityKeyOf = ({ certificate, key }: Issued): AuthorityKey => {
  const isRsa = key.asymmetricKeyType === "rsa";
  return {
    certificate: readCertificate(certificate),
    key,
    keyKind: isRsa ? "rsa" : "ec",
    hash: key.asymmetricKeyDetails?.namedCurve === "secp384r1" ? "sha384" : "sha256",
  };
};

/** Differences of a certificate from that of a sound signer. */
export type SignerOddness = Partial<Pick<CertificateOrder, "profile" | "from" | "to" | "subject" | "urls">>;

/**
 * A real authority for tests: root, issuing authority, OCSP responder. The test serves its answers under `base`, over HTTP or as
 * a function, and may revoke.
 */
export const makeTestAuthority = async ({
  base = "http://ca.example",
  form = "p256",
  now = new Date(),
}: {
  readonly base?: string;
  readonly form?: KeyForm;
  readonly now?: Date;
} = {}) => {
  const span = { from: new Date(now.getTime() - hourMs), to: new Date(now.getTime() + 10 * yearMs) };
  const names = { root: "CN=Test root, O=Example", issuing: "CN=Test issuing, O=Example" };
  const root = await issueCertificate({ profile: "root", subject: names.root, form, ...span });
  const rootUrls = { issuer: `${base}/root.cer`, crl: `${base}/root.crl` };
  const issuer = { ...root, subject: names.root };
  const issuing = await issueCertificate({
    ...span,
    profile: "authority",
    subject: names.issuing,
    form,
    issuer,
    urls: rootUrls,
  });
  const under = { ...issuing, subject: names.issuing };
  const urls = { ocsp: `${base}/ocsp`, issuer: `${base}/issuing.cer`, crl: `${base}/issuing.crl` };
  const responder = await issueCertificate({
    ...span,
    profile: "responder",
    subject: "CN=Test responder, O=Example",
    form,
    issuer: under,
  });
  const revoked = new Map<string, Date>();
  const serialOf = (certificate: Certificate): string => Buffer.from(certificate.serial).toString("hex");
  const statusOf = (serial: string): CertificateStatus => {
    const at = revoked.get(serial);
    return at === undefined ? { kind: "good" } : { kind: "revoked", at };
  };
  const crlOf = (owner: Issued, change: Partial<CrlOptions> = {}): Uint8Array =>
    writeCrl({
      issuer: authorityKeyOf(owner),
      number: 1,
      thisUpdate: now,
      nextUpdate: new Date(now.getTime() + hourMs),
      revoked: [...revoked].map(([serial, at]) => ({ serial: Buffer.from(serial, "hex"), at })),
      ...change,
    });
  const respond = (
    request: Uint8Array,
    { by = responder, at = now, validMs = hourMs }: Answering = {},
  ): Uint8Array =>
    respondOcsp(request, {
      issuer: readCertificate(issuing.certificate),
      responder: authorityKeyOf(by),
      statusOf,
      now: at,
      validMs,
    });
  const answers: Readonly<Record<string, (body: Uint8Array) => Uint8Array>> = {
    "/ocsp": (body) => respond(body),
    "/root.cer": () => root.certificate,
    "/issuing.cer": () => issuing.certificate,
    "/root.crl": () => crlOf(root),
    "/issuing.crl": () => crlOf(issuing),
  };
  return {
    root,
    issuing,
    responder,
    urls,
    crlOf,
    /** An OCSP answer. */
    respond,
    /** The issuers of its certificates in DER, the root last. */
    chain: [issuing.certificate, root.certificate],
    issue: async (oddness: SignerOddness = {}, keyForm: KeyForm = "p256") =>
      await issueCertificate({
        ...span,
        profile: "signer",
        subject: "CN=Test signer, O=Example",
        urls,
        ...oddness,
        form: keyForm,
        issuer: under,
      }),
    revoke: (certificate: Uint8Array, at: Date): void =>
      void revoked.set(serialOf(readCertificate(certificate)), at),
    /** The answer to a question under one of its URLs. */
    answer: ({
      url,
      body = new Uint8Array(),
    }: Pick<ValidationAsk, "url" | "body">): Uint8Array | undefined =>
      url.startsWith(base) ? answers[url.slice(base.length)]?.(body) : undefined,
  };
};

/** How an OCSP answer is made: by another key, at another time, for another time. */
export type Answering = { readonly by?: Issued; readonly at?: Date; readonly validMs?: number };
