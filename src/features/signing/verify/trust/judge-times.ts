import type { Certificate } from "#trust/asn1/certificate";
import { documentPurposes } from "#trust/signers/judge-use";
import type { ReadSignature } from "../read-signatures.ts";
import { type Evidence, joinEvidence } from "./collect-evidence.ts";
import type { Effort } from "./effort.ts";
import { type ChainJudgement, judgeChain, type RevocationJudgement } from "./judge-chain.ts";
import { type JudgedStamp, judgeStamp } from "./judge-stamp.ts";
import { stampPurposes } from "./judge-use.ts";

/** A signature with its chain and times judged. Times are milliseconds since 1970. */
export type TimedSignature = {
  readonly read: ReadSignature;
  readonly certificate: Certificate | undefined;
  readonly chain: ChainJudgement | undefined;
  /** Time-stamps over the signature itself. */
  readonly stamps: readonly JudgedStamp[];
  /** The document time-stamp, if the signature is one. */
  readonly own: JudgedStamp | undefined;
  /** The earliest time at which a time-stamp over it proves that it existed. */
  readonly provenAt: number | undefined;
  /**
   * Whether the evidence states the status of its chain, and of the chains of its time-stamps, when they were
   * made.
   */
  readonly holdsStatus: boolean;
};

/** Certificates that are trusted as the ends of chains. A root of time-stamps answers for no signer. */
export type TrustedRoots = {
  readonly signers: readonly Certificate[];
  readonly stamps: readonly Certificate[];
};

export type TimeOptions = {
  readonly evidence: Evidence;
  readonly roots: TrustedRoots;
  readonly now: number;
  readonly effort: Effort;
};

/**
 * Judges signatures from the last to the first: a document time-stamp that proves its time proves that
 * everything before it existed then, and certificates are judged at that time (ETSI EN 319 102-1, 5.6.3, past
 * signature validation, in short). Pure.
 */
export const judgeTimes = (
  signatures: readonly ReadSignature[],
  { evidence, roots, now, effort }: TimeOptions,
): readonly TimedSignature[] => {
  const timed: TimedSignature[] = [];
  // The earliest time that is proven for all that was judged before: document time-stamps follow one another.
  let covered: number | undefined;
  for (const read of signatures.toReversed()) {
    const one = judgeOne(read, { evidence, roots, now, effort }, covered);
    timed.unshift(one);
    if (one.own?.isProof === true && read.changes !== undefined)
      covered = Math.min(covered ?? now, one.own.at);
  }
  return timed;
};

const isStated = (kind: RevocationJudgement["kind"] | undefined): boolean =>
  kind === "good" || kind === "revoked";

/** Judges a status at the time of the first time-stamp, whether or not the time is proven. */
const holdsStatus = (
  stamps: readonly JudgedStamp[],
  otherwise: number,
  judgeAt: (at: number) => ChainJudgement | undefined,
): boolean => {
  const whole = stamps.filter(({ isWhole }) => isWhole);
  const madeAt = Math.min(otherwise, ...whole.map(({ at }) => at));
  return (
    isStated(judgeAt(madeAt)?.revocation.kind) &&
    whole.every(({ statusThen }) => statusThen === "not_asked" || isStated(statusThen))
  );
};

const judgeOne = (
  read: ReadSignature,
  { evidence, roots, now, effort }: TimeOptions,
  covered: number | undefined,
): TimedSignature => {
  const { cms } = read;
  if (cms === undefined || typeof cms === "string") {
    return {
      read,
      certificate: undefined,
      chain: undefined,
      stamps: [],
      own: undefined,
      provenAt: undefined,
      holdsStatus: false,
    };
  }
  const at = covered ?? now;
  const own = cms.stamp && judgeStamp(cms.stamp, { evidence, roots: roots.stamps, at, effort });
  const stamps = cms.stamps.map((stamp) => judgeStamp(stamp, { evidence, roots: roots.stamps, at, effort }));
  const proofs = stamps.filter(({ isProof }) => isProof).map((stamp) => stamp.at);
  const provenAt =
    proofs.length === 0 ? covered : Math.min(...proofs, ...(covered === undefined ? [] : [covered]));
  const certificate = cms.signer?.signerCertificate;
  const all = joinEvidence([
    evidence,
    effort.enclosed(cms.data, cms.signer),
    ...cms.stamps.map(({ data, signer }) => effort.enclosed(data, signer)),
  ]);
  const judgeAt = (time: number): ChainJudgement | undefined =>
    certificate &&
    judgeChain({
      leaf: certificate,
      evidence: all,
      roots: own === undefined ? roots.signers : roots.stamps,
      at: time,
      effort,
      purposes: own === undefined ? documentPurposes : stampPurposes,
    });
  return {
    read,
    certificate,
    chain: judgeAt(provenAt ?? now),
    stamps,
    own,
    provenAt,
    holdsStatus: holdsStatus(stamps, covered ?? now, judgeAt),
  };
};
