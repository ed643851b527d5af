import type { Certificate } from "#trust/asn1/certificate";
import { isStrong, isStrongKey, readScheme } from "#trust/asn1/verify-signature";
import type { StampFacts } from "../cms/read-stamp.ts";
import { joinEvidence } from "./collect-evidence.ts";
import {
  type ChainJudgement,
  type ChainRequest,
  judgeChain,
  type RevocationJudgement,
} from "./judge-chain.ts";
import { isForStamps, stampPurposes } from "./judge-use.ts";

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
  /** Whether it proves its time: it has no {@link doubt}. */
  readonly isProof: boolean;
  /**
   * Why it proves no time; undefined where it is whole, strong, by an authority for time-stamps that leads to
   * a given root, was good when it stamped, and is not revoked since. A later status is asked where it may
   * be, and not demanded: a file alone never holds that of its last stamp.
   */
  readonly doubt: string | undefined;
};

/** Whether a status says of each certificate that it is good, or that nothing states it. */
const isGood = (kind: RevocationJudgement["kind"]): boolean => kind === "good" || kind === "not_asked";

/**
 * Judges a time-stamp at a time (milliseconds since 1970): now, or when a later time-stamp proves that it
 * existed. Pure.
 */
export const judgeStamp = (
  { at: stampedAt, hash, data, signer, faults }: StampFacts,
  { evidence, roots, at, effort }: Omit<ChainRequest, "leaf" | "purposes">,
): JudgedStamp => {
  const authority = signer?.signerCertificate;
  const purposes = stampPurposes;
  const all = joinEvidence([evidence, effort.enclosed(data, signer)]);
  const chain = authority && judgeChain({ leaf: authority, evidence: all, roots, at, effort, purposes });
  const statusThen =
    authority === undefined
      ? "unknown"
      : judgeChain({ leaf: authority, evidence: all, roots, at: stampedAt, effort, purposes }).revocation
          .kind;
  const scheme = signer && readScheme(signer.algorithm, signer.digestOid);
  const isWhole = faults.length === 0;
  const isStrongSignature = hash !== "sha1" && scheme !== undefined && isStrong(scheme);
  const doubtOf = (): string | undefined => {
    if (!isWhole) return "it does not fit what it covers";
    if (authority === undefined || chain === undefined) return "the certificate of its authority is missing";
    if (!isForStamps(authority)) return "the certificate of its authority is not for time-stamps alone";
    if (!isStrongSignature || !isStrongKey(authority.publicKeyInfo))
      return "its algorithm or the key of its authority is too weak";
    if (stampedAt < authority.validFrom || authority.validTo < stampedAt)
      return "the certificate of its authority was not valid then";
    if (chain.trust !== "trusted") return "its authority leads to no trusted root";
    if (chain.revocation.kind === "revoked") return "a certificate of its authority is revoked";
    return isGood(statusThen) ? undefined : "nothing states that its authority was not revoked then";
  };
  const doubt = doubtOf();
  return { at: stampedAt, authority, chain, statusThen, isWhole, isProof: doubt === undefined, doubt };
};
