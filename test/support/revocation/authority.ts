import { type Certificate, readCertificate } from "#trust/asn1/certificate";
import type { ValidationQuestion } from "#trust/revocation/ports";
import { type AuthorityKey, type CertificateStatus, respondOcsp } from "#trust/revocation/respond-ocsp";
import { type CrlOptions, writeCrl } from "#trust/revocation/write-crl";
import {
  type CertificateOrder,
  type Issued,
  issueCertificate,
  type KeyForm,
} from "#trust/signers/issue-certificate";

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

const names = { root: "CN=Test root, O=Example", issuing: "CN=Test issuing, O=Example" };

/** Valid since days before, so that tests can have old answers. */
const spanAround = (now: Date) => ({
  from: new Date(now.getTime() - 72 * hourMs),
  to: new Date(now.getTime() + 10 * yearMs),
});

const makeKeys = async (base: string, form: KeyForm, now: Date) => {
  const span = spanAround(now);
  const root = await issueCertificate({ profile: "root", subject: names.root, form, ...span });
  const issuing = await issueCertificate({
    ...span,
    profile: "authority",
    subject: names.issuing,
    form,
    issuer: root,
    urls: { issuer: `${base}/root.cer`, crl: `${base}/root.crl` },
  });
  const subject = "CN=Test responder, O=Example";
  const responder = await issueCertificate({ ...span, profile: "responder", subject, form, issuer: issuing });
  return { span, root, issuing, responder };
};

const serialOf = (certificate: Certificate): string => Buffer.from(certificate.serial).toString("hex");

type AuthorityOptions = { readonly base?: string; readonly form?: KeyForm; readonly now?: Date };

type Keys = Awaited<ReturnType<typeof makeKeys>>;

/** What the authority states of its certificates; a test may revoke them. */
const makeStatements = ({ issuing, responder }: Keys, now: Date) => {
  const revoked = new Map<string, Date>();
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
  /** An OCSP answer. */
  const respond = (request: Uint8Array, { by = responder, at = now, validMs = hourMs }: Answering = {}) =>
    respondOcsp(request, {
      issuer: readCertificate(issuing.certificate),
      responder: authorityKeyOf(by),
      statusOf,
      now: at,
      validMs,
    });
  const revoke = (certificate: Uint8Array, at: Date): void =>
    void revoked.set(serialOf(readCertificate(certificate)), at);
  return { crlOf, respond, revoke };
};

/**
 * A real authority for tests: root, issuing authority, OCSP responder. The test serves its answers under
 * `base`, over HTTP or as a function, and may revoke.
 */
export const makeTestAuthority = async ({
  base = "http://ca.example",
  form = "p256",
  now = new Date(),
}: AuthorityOptions = {}) => {
  const keys = await makeKeys(base, form, now);
  const { span, root, issuing, responder } = keys;
  const statements = makeStatements(keys, now);
  const { crlOf, respond } = statements;
  const urls = { ocsp: `${base}/ocsp`, issuer: `${base}/issuing.cer`, crl: `${base}/issuing.crl` };
  const answers: Readonly<Record<string, (body: Uint8Array) => Uint8Array>> = {
    "/ocsp": (body) => respond(body),
    "/root.cer": () => root.certificate,
    "/issuing.cer": () => issuing.certificate,
    "/root.crl": () => crlOf(root),
    "/issuing.crl": () => crlOf(issuing),
  };
  return {
    ...statements,
    root,
    issuing,
    responder,
    urls,
    /** The issuers of its certificates in DER, the root last. */
    chain: [issuing.certificate, root.certificate],
    issue: async (oddness: SignerOddness = {}, keyForm: KeyForm = "p256") => {
      const sound = { ...span, profile: "signer", subject: "CN=Test signer, O=Example", urls } as const;
      return await issueCertificate({ ...sound, ...oddness, form: keyForm, issuer: issuing });
    },
    /** The answer to a question under one of its URLs. */
    answer: ({ url, body = new Uint8Array() }: ValidationQuestion): Uint8Array | undefined =>
      url.startsWith(base) ? answers[url.slice(base.length)]?.(body) : undefined,
  };
};

/** How an OCSP answer is made: by another key, at another time, for another time. */
export type Answering = { readonly by?: Issued; readonly at?: Date; readonly validMs?: number };
