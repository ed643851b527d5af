/**
 * Whether a signed PDF can be validated without a network, by qpdf and OpenSSL alone: no code of the product
 * takes part.
 *
 *   node test/signing/check-ltv.ts FILE ROOTS.pem
 *
 * Every certificate of the document's validation data has revocation data that leads to a root, every
 * signature has the form of PAdES B-LT (ETSI EN 319 142-1, 6.3), and every time-stamp is valid.
 */
import { readFileSync } from "node:fs";
import { pemOf } from "#support/asn1/certificates";
import { endWithHelp } from "../../scripts/help.ts";
import { findSignatures, findStampedSignature, type RawSignature } from "./signatures.ts";
import { type Folder, openFolder, readObjects, run } from "./tools.ts";

/** One statement about the file. */
export type Finding = { readonly isGood: boolean; readonly text: string };

type Evidence = {
  readonly folder: Folder;
  readonly roots: string;
  /** PEM of every certificate of the file. */
  readonly pool: string;
  readonly certificates: readonly Certificate[];
  readonly ocsps: readonly string[];
  readonly crls: readonly string[];
  readonly vriKeys: readonly string[];
};

type Certificate = {
  readonly path: string;
  readonly subject: string;
  readonly issuer: string;
  readonly hasNoCheck: boolean;
};

/** id-pkix-ocsp-nocheck, in DER. */
const noCheck = Buffer.from("2b0601050507300105", "hex");

const describeCertificate = (folder: Folder, bytes: Buffer, at: number): Certificate => {
  const path = folder.write(`c${at}.pem`, pemOf(bytes));
  const { text } = run(
    "openssl",
    "x509",
    "-in",
    path,
    "-noout",
    "-subject",
    "-issuer",
    "-nameopt",
    "RFC2253",
  );
  return {
    path,
    subject: /subject=(.*)/.exec(text)?.[1] ?? "",
    issuer: /issuer=(.*)/.exec(text)?.[1] ?? "",
    hasNoCheck: bytes.includes(noCheck),
  };
};

const readEvidence = (folder: Folder, pdf: string, roots: string): Evidence => {
  const { catalog, entry, streams, keys } = readObjects(pdf);
  const store = entry(catalog, "/DSS");
  const certificates = streams(entry(store, "/Certs"));
  const pems = certificates.map((one) => pemOf(one)).join("");
  return {
    folder,
    roots,
    // Below B-LT the certificates are those of the CMS alone.
    pool: folder.write("pool.pem", pems === "" ? readFileSync(roots) : pems),
    certificates: certificates.map((one, at) => describeCertificate(folder, one, at)),
    ocsps: streams(entry(store, "/OCSPs")).map((one, at) => folder.write(`o${at}.der`, one)),
    crls: streams(entry(store, "/CRLs")).map((one, at) => folder.write(`l${at}.pem`, pemOf(one, "X509 CRL"))),
    vriKeys: keys(entry(store, "/VRI")).map((key) => key.slice(1)),
  };
};

/** The status by an OCSP answer; the age of the answer does not count here. */
const askOcsp = (evidence: Evidence, path: string, issuer: string): string | undefined => {
  for (const answer of evidence.ocsps) {
    const { text } = run(
      ...(["openssl", "ocsp", "-respin", answer, "-issuer", issuer, "-cert", path] as const),
      ...(["-CAfile", evidence.roots, "-verify_other", evidence.pool] as const),
      ...(["-no_nonce", "-validity_period", "3153600000"] as const),
    );
    const status = /: (good|revoked)/.exec(text)?.[1];
    if (status !== undefined && text.includes("Response verify OK")) return status;
  }
  return undefined;
};

const askCrls = ({ crls, roots, pool }: Evidence, path: string): string | undefined =>
  crls.some((crl) => {
    const chain = ["-CAfile", roots, "-untrusted", pool, "-partial_chain"] as const;
    return run("openssl", "verify", ...chain, "-CRLfile", crl, "-crl_check", path).code === 0;
  })
    ? "good"
    : undefined;

const checkRevocation = (evidence: Evidence): readonly Finding[] =>
  evidence.certificates
    .filter(({ subject, issuer }) => subject !== issuer)
    .map(({ subject, issuer, path, hasNoCheck }) => {
      if (hasNoCheck) return { isGood: true, text: `no revocation is asked for ${subject}` };
      const above = evidence.certificates.find((one) => one.subject === issuer)?.path;
      const status = (above && askOcsp(evidence, path, above)) ?? askCrls(evidence, path);
      return { isGood: status === "good", text: `revocation ${status ?? "unknown"} of ${subject}` };
    });

const verifyStamp = ({ folder, roots, pool }: Evidence, token: Buffer, data: Buffer): boolean => {
  const files = ["-in", folder.write("token.tst", token), "-data", folder.write("stamped", data)] as const;
  const trust = ["-CAfile", roots, "-untrusted", pool] as const;
  return run("openssl", "ts", "-verify", "-token_in", ...files, ...trust).text.includes("Verification: OK");
};

const checkTimestamp = (evidence: Evidence, { cms, covered }: RawSignature): readonly Finding[] => [
  { isGood: verifyStamp(evidence, cms, covered), text: "document time-stamp" },
];

const checkSignature = (evidence: Evidence, { cms, covered, key }: RawSignature): readonly Finding[] => {
  const { folder, roots, pool, vriKeys } = evidence;
  const files = ["-in", folder.write("s.p7", cms), "-content", folder.write("content", covered)] as const;
  const trust = ["-CAfile", roots, "-certfile", pool, "-purpose", "any"] as const;
  const form = ["-inform", "DER", "-binary", "-out", "/dev/null"] as const;
  const verified = run("openssl", "cms", "-verify", "-cades", ...form, ...files, ...trust);
  const printed = run(
    "openssl",
    "cms",
    "-cmsout",
    "-print",
    "-noout",
    "-inform",
    "DER",
    "-in",
    files[1],
  ).text;
  const [signed = ""] = printed.slice(printed.indexOf("signerInfos:")).split("unsignedAttrs");
  const stamped = findStampedSignature(folder, cms);
  return [
    { isGood: verified.code === 0, text: `signature (CAdES): ${verified.text.trim().split("\n").at(-1)}` },
    { isGood: !signed.includes("signingTime"), text: "no signing time in the CMS" },
    { isGood: signed.includes("signingCertificateV2"), text: "signing certificate by its hash" },
    { isGood: vriKeys.includes(key), text: "validation data under the key of the signature" },
    {
      isGood: stamped !== undefined && verifyStamp(evidence, stamped.token, stamped.signature),
      text: "time-stamp of the signature",
    },
  ];
};

/** Checks a file of level B-LT or B-LTA. `roots` is a PEM file. */
export const checkLtv = (pdf: string, roots: string): readonly Finding[] => {
  const evidence = readEvidence(openFolder(), pdf, roots);
  const signatures = findSignatures(readFileSync(pdf));
  return [
    { isGood: signatures.some(({ isTimestamp }) => !isTimestamp), text: "the file is signed" },
    { isGood: evidence.certificates.length > 0, text: "the file holds validation data" },
    ...checkRevocation(evidence),
    ...signatures.flatMap((one) => [
      { isGood: one.isExact, text: "the range leaves out the Contents alone" },
      ...(one.isTimestamp ? checkTimestamp(evidence, one) : checkSignature(evidence, one)),
    ]),
  ];
};

if (import.meta.main) {
  endWithHelp(import.meta.filename);
  const [pdf, roots] = process.argv.slice(2);
  if (pdf === undefined || roots === undefined) throw new Error("usage: check-ltv.ts FILE ROOTS.pem");
  const findings = checkLtv(pdf, roots);
  for (const { isGood, text } of findings) process.stdout.write(`${isGood ? "ok  " : "FAIL"} ${text}\n`);
  process.exitCode = findings.every(({ isGood }) => isGood) ? 0 : 1;
}
