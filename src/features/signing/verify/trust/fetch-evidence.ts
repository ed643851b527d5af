import { findStatus } from "#trust/revocation/find-status";
import type { FetchValidation } from "#trust/revocation/ports";
import { readCrl } from "#trust/revocation/read-crl";
import { readOcsp } from "#trust/revocation/read-ocsp";
import type { Evidence } from "./collect-evidence.ts";
import type { ChainJudgement } from "./judge-chain.ts";
import type { TimedSignature } from "./judge-times.ts";

/** More certificates of one file are not asked about. */
const asksMax = 50;

/**
 * Asks for the status of certificates that the file leaves open. Only certificates that lead to a given root
 * are asked about: an unknown certificate could name any address.
 */
export const fetchEvidence = async (
  signatures: readonly TimedSignature[],
  stored: Evidence,
  { fetch, now }: { readonly fetch: FetchValidation; readonly now: number },
): Promise<Evidence> => {
  const chains = signatures.flatMap(({ chain, stamps }) => [chain, ...stamps.map((stamp) => stamp.chain)]);
  const pairs = new Map(chains.flatMap(openPairs));
  const facts = [];
  for (const [one, issuer] of [...pairs.values()].slice(0, asksMax)) {
    const found = await findStatus(one, issuer, fetch, now);
    if ("missing" in found) continue;
    facts.push(found);
    // A responder that is neither the issuer nor exempt needs a status of its own (RFC 6960, 4.2.2.2.1).
    if (found.by === issuer || found.by.hasNoCheck) continue;
    const responder = await findStatus(found.by, issuer, fetch, now);
    if (!("missing" in responder)) facts.push(responder);
  }
  return {
    certificates: stored.certificates,
    ocsps: [
      ...stored.ocsps,
      ...facts.filter(({ source }) => source === "ocsp").map(({ bytes }) => readOcsp(bytes)),
    ],
    crls: [
      ...stored.crls,
      ...facts.filter(({ source }) => source === "crl").map(({ bytes }) => readCrl(bytes)),
    ],
  };
};

/** Certificates with their issuers, where the status of a trusted chain is open. */
const openPairs = (chain: ChainJudgement | undefined) => {
  if (chain === undefined || chain.trust !== "trusted" || chain.revocation.kind !== "unknown") return [];
  return chain.certificates.flatMap((one, index) => {
    const issuer = chain.certificates[index + 1];
    return issuer === undefined
      ? []
      : [[Buffer.from(one.bytes).toString("base64"), [one, issuer] as const] as const];
  });
};
