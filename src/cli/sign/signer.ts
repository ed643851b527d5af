import { createHash, randomBytes } from "node:crypto";
import type { SigningSources } from "#app/signing";
import { Failure } from "#contract/failure";
import { reaches } from "#features/signing/pades/level";
import { readConfig } from "#machine/config/config";
import { describeName } from "#trust/asn1/names";
import { findChain, readCertificates } from "#trust/revocation/find-chain";
import { findStatus } from "#trust/revocation/find-status";
import { parseOptions, print, type Run, wrongAction } from "../command.ts";
import { type Finding, finding, orRed, showFinding } from "../kit/finding.ts";
import { withSigning } from "./open-signing.ts";

export const runSigner: Run = async (args) => {
  const { values, positionals } = parseOptions(args, { json: { type: "boolean" } }, true);
  if (positionals.length !== 1 || positionals[0] !== "check") {
    throw wrongAction("signer", positionals[0], ["check"]);
  }
  const { level, findings } = await withSigning(readConfig(), async (sources) => ({
    level: sources.terms.level,
    findings: await checkSources(sources, new Date()),
  }));
  const ok = findings.every(({ advice }) => advice === undefined);
  if (values.json === true) print(JSON.stringify({ ok, level, checks: findings.map(toJson) }));
  else findings.forEach(showFinding);
  return ok ? 0 : 1;
};

const toJson = ({ subject, found, advice }: Finding) => ({
  subject,
  ok: advice === undefined,
  found,
  ...(advice !== undefined && { nextStep: advice }),
});

const dayMs = 86_400_000;

/** One authority has this long for its stamp. */
const stampMsMax = 10_000;

/**
 * Checks what signs, piece by piece: certificate, key, each authority, and the status of each certificate.
 */
export const checkSources = async (sources: SigningSources, now: Date): Promise<readonly Finding[]> => [
  checkCertificate(sources, now),
  await checkKey(sources),
  ...(await checkAuthorities(sources)),
  ...(await checkStatuses(sources, now)),
];

const checkCertificate = ({ signer: own, terms }: SigningSources, now: Date): Finding => {
  const fault = own.judge(now.getTime());
  const days = Math.floor((own.validTo - now.getTime()) / dayMs);
  const found = `${own.subject}, level ${terms.level}, ${days} days left`;
  return finding("signer", found, fault && `Name another certificate: ${fault.words}.`);
};

const checkKey = async ({ signer: own }: SigningSources): Promise<Finding> => {
  try {
    await own.sign(randomBytes(32));
    return finding("key", `${own.keyKind}, its signature fits the certificate`);
  } catch (error) {
    const reason = error instanceof Failure ? error.facts["reason"] : undefined;
    const words =
      typeof reason === "string" ? reason : error instanceof Error ? error.message : String(error);
    return finding("key", "it signs nothing", `${words}. Check the settings IDEM_SIGNER_….`);
  }
};

const checkAuthorities = ({ authorities, terms }: SigningSources): Promise<readonly Finding[]> => {
  const { hash } = terms.signer;
  const digest = createHash(hash).update("idem signer check").digest();
  return Promise.all(
    authorities.map(({ name, stamp }) =>
      orRed("time-stamp", `${name} gives none`, async () => {
        const stamped = await stamp({ hash, digest }, AbortSignal.timeout(stampMsMax));
        return finding("time-stamp", `${name}: ${new Date(stamped.stamp.at).toISOString()}`);
      }),
    ),
  );
};

const checkStatuses = async ({ terms, ports }: SigningSources, now: Date): Promise<readonly Finding[]> => {
  const { signer: own, known, level } = terms;
  const [leaf, ...pool] = readCertificates([own.certificate, ...own.chain, ...known]);
  if (leaf === undefined) return [];
  const isNeeded = reaches(level, "B-LT");
  const { certificates, isComplete } = await findChain(leaf, pool, ports.fetch);
  const statuses = certificates.map(async (one, place) => {
    const name = describeName(one.subject);
    const issuer = certificates[place + 1];
    if (issuer === undefined) {
      if (isComplete) return finding("root", name);
      const advice = "Add its issuer to IDEM_SIGNER_CERTIFICATES or IDEM_SIGNING_ROOTS.";
      return finding("chain", `it ends at ${name}, which is no root`, isNeeded ? advice : undefined);
    }
    const found = await findStatus(one, issuer, ports.fetch, now.getTime());
    if ("missing" in found) {
      const isNamed = one.ocspUrls.length + one.crlUrls.length > 0;
      const way = isNamed
        ? "open the way to its authority (IDEM_EGRESS_PROXY)"
        : "use a certificate that does";
      const advice = `Level ${level} needs it: ${way}, or sign at B-T.`;
      return finding("status", `${name}: not known, ${found.missing}`, isNeeded ? advice : undefined);
    }
    const isRevoked = found.status.kind === "revoked";
    const advice = isRevoked ? "Ask its authority for a new certificate: this one signs nothing." : undefined;
    return finding("status", `${name}: ${found.status.kind} by ${found.source}`, advice);
  });
  return await Promise.all(statuses);
};
