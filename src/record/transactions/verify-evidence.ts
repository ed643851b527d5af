import type { Anchor, StoredLink } from "./store/evidence-store.ts";
import { type ChainFault, type ChainReport, type KnownHead, makeChainVerifier } from "./verify-chain.ts";

/** The judgement of an anchor's token. Made by `verifyToken` of timestamps. */
export type JudgeToken = (
  token: Uint8Array,
  hash: string,
) =>
  | { readonly at: number; readonly signer: string; readonly isTrusted: boolean }
  | { readonly refusal: string };

/** A chain in pages, from a store or a file. */
export type ChainSource = {
  readonly links: AsyncIterable<StoredLink>;
  readonly anchors: AsyncIterable<Omit<Anchor, "tenantId">>;
  /** Heads that were kept outside of the chain. */
  readonly heads: readonly KnownHead[];
  /** The end of an earlier part, where the entries begin after it. */
  readonly start?: { readonly seq: number; readonly hash: string };
  /** A copy that leaves bodies out; by default each body is expected whose removal no entry records. */
  readonly isBodyExpected?: (seq: number) => boolean;
};

/** The result for one chain and its anchors. */
export type EvidenceReport = ChainReport & {
  readonly anchors: {
    readonly count: number;
    /** The newest valid time-stamp. */
    readonly newest?: {
      readonly seq: number;
      readonly at: number;
      readonly signer: string;
      readonly isTrusted: boolean;
    };
  };
};

/** Recomputes a chain and compares it with its anchors and the known heads, in bounded memory. */
export const verifyEvidence = async (
  { links, anchors, heads, start, isBodyExpected }: ChainSource,
  judgeToken: JudgeToken,
  onProgress: (entries: number) => void = () => undefined,
): Promise<EvidenceReport> => {
  const stamped = await judgeAnchors(anchors, judgeToken);
  const verifier = makeChainVerifier([...heads, ...stamped.heads], start, isBodyExpected);
  let entries = 0;
  for await (const link of links) {
    verifier.take(link);
    entries += 1;
    if (entries % progressEvery === 0) onProgress(entries);
  }
  const report = verifier.end();
  const { count, newest, faults } = stamped;
  return {
    ...report,
    faults: [...faults, ...report.faults].toSorted((a, b) => a.seq - b.seq),
    faultCount: report.faultCount + faults.length,
    anchors: { count, ...(newest && { newest }) },
  };
};

const progressEvery = 100_000;

const judgeAnchors = async (anchors: ChainSource["anchors"], judgeToken: JudgeToken) => {
  const heads: KnownHead[] = [];
  const faults: ChainFault[] = [];
  let count = 0;
  let newest: EvidenceReport["anchors"]["newest"];
  for await (const { seq, hash, at, authority, token } of anchors) {
    count += 1;
    const judged = judgeToken(token, hash);
    if ("refusal" in judged) {
      faults.push({ seq, field: "time-stamp", finding: `the time-stamp is not valid: ${judged.refusal}` });
      continue;
    }
    if (judged.at !== at) {
      faults.push({ seq, field: "time-stamp", finding: "the stored time is not the stamped time" });
    }
    heads.push({ seq, hash, at: judged.at, source: `the time-stamp by ${authority}` });
    const { signer, isTrusted } = judged;
    newest = { seq, at: judged.at, signer, isTrusted };
  }
  return { heads, faults, count, newest };
};
