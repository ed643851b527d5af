import type { Certificate } from "#asn1/certificate";
import { isStrong, isStrongKey, readScheme } from "#asn1/verify-signature";
import type { StampFacts } from "../cms/read-stamp.ts";
import { type Evidence, joinEvidence, readEnclosed } from "./collect-evidence.ts";
import { type ChainJudgement, judgeChain, type RevocationJudgement } from "./judge-chain.ts";
import { isForStamps } from "./judge-use.ts";

/** A time-stamp with its authority judged. */
export type JudgedStamp = {
  /** Milliseconds since 1970, as stamped. */
  readonly at: number;
  readonly authority: Certificate | undefined;
  readonly chain: ChainJudgement | undefined;
  /** The status of its chain when it was made, by the same evidence. */
  readonly statusThen: RevocationJudgement["kind"];
  /** Digest and signature fit. */
  readonly isWhole: boolean;
  /**
   * Whether it proves its time: whole, strong, by an authority for time-stamps that leads to a given root, was good when it stamped, and
   * is not revoked since. A later status is asked where it may be, and not demanded: a file alone never holds that of its last stamp.
   */
  readonly isProof: boolean;
};

/** Whether a status says of each certificate that it is good, or that nothing states it. */
const isGood = (kind: RevocationJudgement["kind"]): boolean => kind === "good" || kind === "not_asked";

/** Judges a time-stamp at a time (milliseconds since 1970): now, or when a later time-stamp proves that it existed. Pure. */
export const judgeStamp = (
  { at: stampedAt, hash, data, signer, faults }: StampFacts,
  {
    evidence,
    roots,
    at,
  }: { readonly evidence: Evidence; readonly roots: readonly Certificate[]; readonly at: number },
): JudgedStamp => {
  const authority = signer?.signerCertificate;
  const all = joinEvidence([evidence, readEnclosed(data, signer)]);
  const chain = authority && judgeChain({ leaf: authority, evidence: all, roots, at });
  const statusThen =
    authority === undefined
      ? "unknown"
      : judgeChain({ leaf: authority, evidence: all, roots, at: stampedAt }).revocation.kind;
  const scheme = signer && readScheme(signer.algorithm, signer.digestOid);
  const isWhole = faults.length === 0;
  const isProof =
    isWhole &&
    authority !== undefined &&
    isForStamps(authority) &&
    hash !== "sha1" &&
    scheme !== undefined &&
    isStrong(scheme) &&
    isStrongKey(authority.publicKeyInfo) &&
    authority.validFrom <= stampedAt &&
    stampedAt <= authority.validTo &&
    chain?.trust === "trusted" &&
    chain.revocation.kind !== "revoked" &&
    isGood(statusThen);
  return { at: stampedAt, authority, chain, statusThen, isWhole, isProof };
};
