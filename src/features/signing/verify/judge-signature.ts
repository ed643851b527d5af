import type { ChangeJudgement } from "./changes/change.ts";
import type { CmsFault } from "./cms/check-signer.ts";
import type { CmsUnread } from "./cms/read-cms.ts";
import type { RangeFault } from "./file/judge-byte-range.ts";
import { type ReasonCode, reasonKinds, type Verdict, verdicts } from "./reasons.ts";
import type { ChainJudgement } from "./trust/judge-chain.ts";

/** What was found about one signature. */
export type SignatureFacts = {
  readonly rangeFault: RangeFault | undefined;
  /** Whether the signed bytes are a complete state of the file. */
  readonly isComplete: boolean;
  readonly cmsFaults: readonly (CmsFault | CmsUnread)[];
  readonly isStrong: boolean;
  /** How the changes afterwards are judged; `unreadable` where the states could not be compared. */
  readonly changes: readonly ChangeJudgement[] | "unreadable";
  /** The worst of the time-stamps over it. */
  readonly stamps: StampsJudgement;
  /** Undefined where it has no readable certificate. */
  readonly chain: ChainJudgement | undefined;
  /** Whether the certificate is made for this use of its key. */
  readonly isFit: boolean;
  /** Whether a time-stamp proves its time. */
  readonly isProven: boolean;
};

/**
 * What the time-stamps over a signature are worth together; `unchecked` where an algorithm or a certificate
 * is missing.
 */
export type StampsJudgement = "whole" | "unchecked" | "broken";

/** The reasons against a signature, in a fixed order. Pure. */
export const judgeSignature = (facts: SignatureFacts): readonly ReasonCode[] => {
  if (facts.rangeFault !== undefined) return [facts.rangeFault];
  return [
    ...facts.cmsFaults,
    ...(facts.isComplete ? [] : (["signed_part_incomplete"] as const)),
    ...judgeChanges(facts.changes),
    ...(facts.isStrong || facts.cmsFaults.length > 0 ? [] : (["algorithm_weak"] as const)),
    ...(facts.stamps === "whole" ? [] : ([`stamp_${facts.stamps}`] as const)),
    ...judgeTrust(facts),
  ];
};

const judgeChanges = (changes: SignatureFacts["changes"]): readonly ReasonCode[] => {
  if (changes === "unreadable") return ["states_unreadable"];
  if (changes.includes("forbidden")) return ["changed_afterwards"];
  return changes.includes("doubtful") ? ["annotated_afterwards"] : [];
};

const judgeTrust = ({ chain, isFit, isProven }: SignatureFacts): readonly ReasonCode[] => {
  if (chain === undefined) return [];
  const { trust, revocation } = chain;
  if (revocation.kind === "revoked") return [isProven ? "signer_revoked" : "revoked_without_time"];
  if (trust === "unknown") return ["signer_unknown"];
  if (trust === "out_of_time") return ["certificate_out_of_time"];
  if (trust === "unfit" || !isFit) return ["certificate_unfit"];
  return revocation.kind === "unknown" ? ["revocation_unknown"] : [];
};

/** The worst verdict of several. */
export const worstOf = (all: readonly Verdict[]): Verdict =>
  verdicts[Math.max(0, ...all.map((one) => verdicts.indexOf(one)))] ?? "invalid";

/** The verdict that these reasons leave. */
export const verdictOf = (codes: readonly ReasonCode[]): Verdict =>
  worstOf(codes.map((code) => reasonKinds[code].verdict));
