import type { Certificate } from "#trust/asn1/certificate";
import { DerError } from "#trust/asn1/der";
import { allowsPurpose, areNamesAllowed } from "#trust/asn1/judge-constraints";
import { chainMax, hasIssued } from "#trust/revocation/find-chain";
import { judgeCrl } from "#trust/revocation/judge-crl";
import { judgeFact } from "#trust/revocation/judge-fact";
import { judgeOcsp } from "#trust/revocation/judge-ocsp";
import type { RevocationFact, Unusable } from "#trust/revocation/revocation-fact";
import type { Evidence } from "./collect-evidence.ts";
import type { Effort } from "./effort.ts";

/** A chain of certificates from a signer up, judged at one time with the given evidence. */
export type ChainJudgement = {
  /** From the signer on. */
  readonly certificates: readonly Certificate[];
  /** `trusted`: it leads to a given root, and is in order at that time. */
  readonly trust: "trusted" | "unknown" | "out_of_time" | "unfit";
  readonly revocation: RevocationJudgement;
};

/** `revoked`: one of its certificates, at that time. `not_asked`: no certificate names a place to ask. */
export type RevocationJudgement =
  | { readonly kind: "good" | "not_asked" | "unknown" }
  | { readonly kind: "revoked"; readonly at: number };

export type ChainRequest = {
  readonly leaf: Certificate;
  readonly evidence: Evidence;
  readonly roots: readonly Certificate[];
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly effort: Effort;
  /** Purposes of which the chain must allow one: those of signers of documents, or of time-stamps. */
  readonly purposes: ReadonlySet<string>;
};

/** More certificates of a file are not tried as issuers of one: each try costs a signature. */
const triesMax = 20;

/** Reading the names of one certificate takes some 20 µs, and of one with a thousand names 1 ms. */
const namesSteps = 2000;

/** Extensions that this judge applies, or that limit nothing which it relies on (RFC 5280, 4.2). */
const understood: ReadonlySet<string> = new Set([
  "2.5.29.15",
  "2.5.29.17",
  "2.5.29.19",
  "2.5.29.30",
  "2.5.29.31",
  "2.5.29.32",
  "2.5.29.33",
  "2.5.29.36",
  "2.5.29.37",
  "2.5.29.54",
]);

const isSame = (a: Certificate, b: Certificate): boolean => Buffer.compare(a.bytes, b.bytes) === 0;

const findIssuer = (
  one: Certificate,
  pool: readonly Certificate[],
  { steps, isSigned }: Effort,
): Certificate | undefined => {
  steps.take(pool.length);
  return pool
    .filter(({ subject }) => Buffer.compare(subject, one.issuer) === 0)
    .slice(0, triesMax)
    .find((issuer) => hasIssued(issuer, one, isSigned));
};

/** Follows the issuers up to a given root, or to the last that is found. */
const follow = ({ leaf, evidence, roots, effort }: ChainRequest) => {
  const certificates = [leaf];
  let current = leaf;
  while (certificates.length < chainMax) {
    if (roots.some((root) => isSame(root, current))) return { certificates, isRooted: true };
    const issuer = findIssuer(current, [...roots, ...evidence.certificates], effort);
    if (issuer === undefined) break;
    certificates.push(issuer);
    current = issuer;
  }
  return { certificates, isRooted: roots.some((root) => isSame(root, current)) };
};

/** Judges a chain (RFC 5280, 6.1, without policies) and the revocation of its certificates. Pure. */
export const judgeChain = (request: ChainRequest): ChainJudgement => {
  const { certificates, isRooted } = follow(request);
  const revocation = judgeRevocation(certificates, request);
  return { certificates, trust: judgeTrust(certificates, isRooted, request), revocation };
};

const judgeTrust = (
  certificates: readonly Certificate[],
  isRooted: boolean,
  { at, effort, purposes }: ChainRequest,
): ChainJudgement["trust"] => {
  if (!isRooted) return "unknown";
  const isFit = certificates.every(({ extensions, pathLengthMax }, index) => {
    const isUnderstood = [...extensions].every(([id, { isCritical }]) => !isCritical || understood.has(id));
    return isUnderstood && (pathLengthMax === undefined || index === 0 || index - 1 <= pathLengthMax);
  });
  effort.steps.take(namesSteps * certificates.length ** 2);
  if (!isFit || !areNamesAllowed(certificates) || !allowsPurpose(certificates, purposes)) return "unfit";
  return certificates.every((one) => one.validFrom <= at && at <= one.validTo) ? "trusted" : "out_of_time";
};

const judgeRevocation = (
  certificates: readonly Certificate[],
  { evidence, at, effort }: ChainRequest,
): RevocationJudgement => {
  const judged = certificates.flatMap((one, index): readonly RevocationJudgement[] => {
    const issuer = certificates[index + 1];
    const above = certificates.slice(index + 1);
    return issuer === undefined ? [] : [judgeOne(one, { issuer, above, evidence, at, effort })];
  });
  const revoked = judged.find(({ kind }) => kind === "revoked");
  if (revoked !== undefined) return revoked;
  if (judged.some(({ kind }) => kind === "unknown")) return { kind: "unknown" };
  return { kind: judged.some(({ kind }) => kind === "good") ? "good" : "not_asked" };
};

/**
 * Whether the signer of a fact was entitled when it signed: the issuer itself, a responder with ocsp-nocheck,
 * or one whose own status is good, or stated nowhere (RFC 6960, 4.2.2.2.1). Another responder of that kind
 * proves no status of a responder.
 */
const isEntitled = (
  { by, thisUpdate }: RevocationFact,
  { issuer, above, evidence, at, effort, isResponder }: StatusRequest,
): boolean => {
  if (by === issuer) return true;
  // Names bind a responder too. Its purpose is checked where it is found: its issuer need not name it (RFC
  // 6960, 4.2.2.2).
  if (!areNamesAllowed([by, ...above])) return false;
  if (by.hasNoCheck) return true;
  if (isResponder === true) return false;
  const request = { issuer, above, evidence, at: Math.max(at, thisUpdate), effort, isResponder: true };
  const { kind } = judgeOne(by, request);
  return kind === "good" || kind === "not_asked";
};

type StatusRequest = {
  readonly issuer: Certificate;
  /** The issuer and its issuers. */
  readonly above: readonly Certificate[];
  readonly evidence: Evidence;
  readonly at: number;
  readonly effort: Effort;
  readonly isResponder?: boolean;
};

/** Steps of an OCSP answer. It may name up to 100 certificates, each by two hashes; most answers name one. */
const answerSteps = 500;

/** A revocation counts before a good status, because no revocation ends. */
const judgeOne = (one: Certificate, request: StatusRequest): RevocationJudgement => {
  const { issuer, evidence, at, effort } = request;
  const { steps, isSigned } = effort;
  steps.take(answerSteps * (evidence.ocsps.length + evidence.crls.length));
  const facts = [
    ...evidence.ocsps.map((answer) => tryFact(() => judgeOcsp(answer, one, issuer, isSigned))),
    ...evidence.crls.map((crl) => {
      // A CRL of this issuer is searched as a whole.
      if (Buffer.compare(crl.issuer, issuer.subject) === 0) steps.takeNative(crl.bytes.length);
      return tryFact(() => judgeCrl(crl, one, issuer, isSigned));
    }),
  ].flatMap((fact) => {
    if ("unusable" in fact) return [];
    const status = judgeFact(fact, one, at);
    return status.kind === "revoked" || isEntitled(fact, request) ? [status] : [];
  });
  const revoked = facts.find(({ kind }) => kind === "revoked");
  if (revoked?.kind === "revoked") return { kind: "revoked", at: revoked.at };
  if (facts.some(({ kind }) => kind === "good")) return { kind: "good" };
  const hasPlace = one.ocspUrls.length > 0 || one.crlUrls.length > 0;
  return { kind: hasPlace ? "unknown" : "not_asked" };
};

const tryFact = (judge: () => RevocationFact | Unusable): RevocationFact | Unusable => {
  try {
    return judge();
  } catch (error) {
    if (error instanceof DerError) return { unusable: error.message };
    throw error;
  }
};
