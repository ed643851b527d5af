import type { Certificate } from "#asn1/certificate";
import { oids } from "#asn1/oids";
import { isStrong, readScheme } from "#asn1/verify-signature";
import type { StampFacts } from "../cms/read-stamp.ts";
import { type Evidence, joinEvidence, readEnclosed } from "./collect-evidence.ts";
import { type ChainJudgement, judgeChain } from "./judge-chain.ts";

/** A time-stamp with its authority judged. */
export type JudgedStamp = {
  /** Milliseconds since 1970, as stamped. */
  readonly at: number;
  readonly authority: Certificate | undefined;
  readonly chain: ChainJudgement | undefined;
  /** `whole`: digest and signature fit. */
  readonly isWhole: boolean;
  /** Whether it proves its time: whole, strong, by an authority for time-stamps that leads to a given root and is not revoked. */
  readonly isProof: boolean;
};

/** RFC 3161, 2.3: the extension is critical and names this one purpose. */
const isForStamps = ({ extensions, purposes }: Certificate): boolean =>
  extensions.get(oids.extendedKeyUsage)?.isCritical === true &&
  purposes?.length === 1 &&
  purposes[0] === oids.timeStamping;

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
  const scheme = signer && readScheme(signer.algorithm, signer.digestOid);
  const isWhole = faults.length === 0;
  const isProof =
    isWhole &&
    authority !== undefined &&
    isForStamps(authority) &&
    hash !== "sha1" &&
    scheme !== undefined &&
    isStrong(scheme) &&
    authority.validFrom <= stampedAt &&
    stampedAt <= authority.validTo &&
    chain?.trust === "trusted" &&
    chain.revocation.kind !== "revoked";
  return { at: stampedAt, authority, chain, isWhole, isProof };
};
