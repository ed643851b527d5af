import { type CertificateOrder, type Issued, issueCertificate } from "../issue-certificate.ts";
import { lifetimesMs, type Role } from "./lifetimes.ts";
import { authorityUrls } from "./urls.ts";

/** Keys and certificates of the development authority. */
export type DevelopmentKeys = {
  readonly root: Issued;
  readonly issuing: Issued;
  /** Signs documents. */
  readonly signer: Issued;
  /** Signs time-stamps. */
  readonly stamper: Issued;
  /** Signs OCSP answers. */
  readonly responder: Issued;
};

/** Every name says what a signature of this authority is worth. */
const organisation = "O=Idem DEVELOPMENT - proves nothing";
const subjects = {
  root: `CN=DEVELOPMENT root, ${organisation}`,
  issuing: `CN=DEVELOPMENT issuing authority, ${organisation}`,
  signer: `CN=DEVELOPMENT signer, ${organisation}`,
  stamper: `CN=DEVELOPMENT time-stamping authority, ${organisation}`,
  responder: `CN=DEVELOPMENT OCSP responder, ${organisation}`,
} as const;

/** A clock that runs behind for up to this time accepts the certificates at once. */
const sinceMs = 3_600_000;

const orderOf = (role: Role, now: Date): Pick<CertificateOrder, "subject" | "form" | "from" | "to"> => ({
  subject: subjects[role],
  form: "p256",
  from: new Date(now.getTime() - sinceMs),
  to: new Date(now.getTime() + lifetimesMs[role]),
});

const makeLeaves = async (issuer: Issued, now: Date): Promise<Omit<DevelopmentKeys, "root" | "issuing">> => {
  const urls = { ocsp: authorityUrls.ocsp, issuer: authorityUrls.issuing, crl: authorityUrls.issuingCrl };
  return {
    signer: await issueCertificate({ ...orderOf("signer", now), profile: "signer", issuer, urls }),
    stamper: await issueCertificate({ ...orderOf("stamper", now), profile: "stamper", issuer, urls }),
    responder: await issueCertificate({ ...orderOf("responder", now), profile: "responder", issuer }),
  };
};

/**
 * Makes all keys and certificates: a root, an issuing authority below it, and three certificates of that one.
 */
export const makeDevelopmentKeys = async (now: Date): Promise<DevelopmentKeys> => {
  const root = await issueCertificate({ ...orderOf("root", now), profile: "root" });
  const issuing = await issueCertificate({
    ...orderOf("issuing", now),
    profile: "authority",
    issuer: root,
    urls: { issuer: authorityUrls.root, crl: authorityUrls.rootCrl },
  });
  return { root, issuing, ...(await makeLeaves(issuing, now)) };
};

/**
 * The same root and issuing authority with new certificates below them, so that earlier signatures stay
 * trusted.
 */
export const renewLeaves = async (keys: DevelopmentKeys, now: Date): Promise<DevelopmentKeys> => ({
  ...keys,
  ...(await makeLeaves(keys.issuing, now)),
});
