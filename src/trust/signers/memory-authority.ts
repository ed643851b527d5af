import { createHash, randomBytes, sign } from "node:crypto";
import { readCertificate } from "#trust/asn1/certificate";
import { oids } from "#trust/asn1/oids";
import { generalizedTime, integer, octetString, oid, sequence, smallInteger } from "#trust/asn1/write-der";
import { hashAlgorithm, makeSignedData } from "#trust/asn1/write-signed-data";
import type { HashName, Signer, SignerIdentity, SigningPorts } from "#trust/revocation/ports";
import { type CertificateStatus, respondOcsp } from "#trust/revocation/respond-ocsp";
import { describeKey } from "./describe-key.ts";
import { type CertificateProfile, type Issued, issueCertificate, type KeyForm } from "./issue-certificate.ts";

/** Every kind of key that may sign. */
export const signerForms = [
  "p256",
  "p384",
  "rsa2048",
  "rsa3072",
  "rsa4096",
] as const satisfies readonly KeyForm[];

/**
 * An authority for tests and measurements: a root, an issuing authority, a signer, a time-stamping authority
 * and responders, all in memory. It keeps nothing; the development authority is the one of a service.
 */
export type MemoryAuthority = {
  readonly signer: Signer;
  readonly stamper: Signer;
  readonly roots: readonly Uint8Array[];
  readonly ports: SigningPorts;
  /** States another status of a certificate from now on. */
  readonly setStatus: (certificate: Uint8Array, status: CertificateStatus) => void;
};

const dayMs = 86_400_000;
const rootUrl = "http://root.test/ocsp";
const issuingUrl = "http://issuing.test/ocsp";

const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");

const signerOf = ({ certificate, key }: Issued, form: KeyForm, chain: readonly Uint8Array[]): Signer => {
  const described = describeKey(readCertificate(certificate));
  if ("fault" in described) throw new Error(described.fault);
  return {
    name: form,
    certificate,
    chain,
    ...described,
    sign: async (message) => sign(described.hash, message, key),
  };
};

/** NSS, and so pdfsig, trusts no chain whose certificates name no CRL. The ports serve OCSP alone. */
const urlsBeside = (ocsp: string) => ({
  ocsp,
  issuer: ocsp.replace(/ocsp$/, "issuer.cer"),
  crl: ocsp.replace(/ocsp$/, "issuer.crl"),
});

const issueAll = async (options: MemoryAuthorityOptions, now: Date) => {
  const { form, issuerForm = "p256", stamperForm = "p256", name = "Test" } = options;
  const [from, to] = [new Date(now.getTime() - dayMs), new Date(now.getTime() + 1_000 * dayMs)];
  const issue = async (
    profile: CertificateProfile,
    common: string,
    key: KeyForm,
    issuer?: Issued,
    ocsp?: string,
  ): Promise<Issued> => {
    const subject = `CN=${name} ${common}, O=${name}`;
    const urls = ocsp === undefined ? {} : { urls: urlsBeside(ocsp) };
    return await issueCertificate({
      profile,
      subject,
      form: key,
      from,
      to,
      ...(issuer && { issuer }),
      ...urls,
    });
  };
  const root = await issue("root", "Root", issuerForm);
  const issuing = await issue("authority", "Issuing", issuerForm, root, rootUrl);
  return {
    root,
    issuing,
    signer: await issue("signer", "Signer", form, issuing, issuingUrl),
    stamper: await issue("stamper", "Stamper", stamperForm, issuing, issuingUrl),
    rootResponder: await issue("responder", "Root Responder", "p256", root),
    issuingResponder: await issue("responder", "Issuing Responder", "p256", issuing),
  };
};

/** A time-stamp token (RFC 3161, 2.4.2) of such an authority. */
export const stampWith = async (
  stamper: Signer,
  hash: HashName,
  digest: Uint8Array,
  at: Date,
): Promise<Uint8Array> => {
  const facts = sequence(
    smallInteger(1),
    oid("1.2.3.4.1"),
    sequence(hashAlgorithm(hash), octetString(digest)),
    integer(randomBytes(8)),
    generalizedTime(at),
  );
  const made = await makeSignedData({
    signer: stamper,
    digest: createHash(stamper.hash).update(facts).digest(),
    contentType: oids.tstInfo,
    content: facts,
  });
  return made.encode();
};

export type MemoryAuthorityOptions = {
  /** The key of the signer. */
  readonly form: KeyForm;
  /** The keys of root and issuing authority. Default: P-256, which is made at once. */
  readonly issuerForm?: KeyForm;
  /** The key of the time-stamping authority. Default: P-256. */
  readonly stamperForm?: KeyForm;
  /** Stands before the names of all certificates. */
  readonly name?: string;
  readonly now?: () => Date;
};

/** Makes an authority of its own. `now` is its clock. */
export const openMemoryAuthority = async (options: MemoryAuthorityOptions): Promise<MemoryAuthority> => {
  const { form, stamperForm = "p256", now = () => new Date() } = options;
  const made = await issueAll(options, now());
  const chain = [made.issuing.certificate, made.root.certificate];
  const [signer, stamper] = [signerOf(made.signer, form, chain), signerOf(made.stamper, stamperForm, chain)];
  const statuses = new Map<string, CertificateStatus>();
  const answer = (request: Uint8Array, issuer: Issued, responder: Issued): Uint8Array =>
    respondOcsp(request, {
      issuer: readCertificate(issuer.certificate),
      responder: {
        certificate: readCertificate(responder.certificate),
        key: responder.key,
        keyKind: "ec",
        hash: "sha256",
      },
      statusOf: (serial) => statuses.get(serial) ?? { kind: "good" },
      now: now(),
      validMs: dayMs,
    });
  return {
    signer,
    stamper,
    roots: [made.root.certificate],
    ports: {
      sign: signer.sign,
      stamp: (hash, digest) => stampWith(stamper, hash, digest, now()),
      fetch: async ({ url, body = new Uint8Array() }) => {
        if (url === rootUrl) return answer(body, made.root, made.rootResponder);
        return url === issuingUrl ? answer(body, made.issuing, made.issuingResponder) : undefined;
      },
    },
    setStatus: (certificate, status) => {
      statuses.set(hexOf(readCertificate(certificate).serial), status);
    },
  };
};

export const identityOf = ({ name, certificate, chain, keyKind, hash }: Signer): SignerIdentity => ({
  name,
  certificate,
  chain,
  keyKind,
  hash,
});
