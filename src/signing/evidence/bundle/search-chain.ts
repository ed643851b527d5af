import type { Anchor, EvidenceCommands, StoredLink } from "#transactions/store/evidence-store";
import type { ChainFault, KnownHead } from "#transactions/verify-chain";
import type { ChainSource, EvidenceReport, JudgeToken } from "#transactions/verify-evidence";

/** Recomputes a chain and compares it with its anchors. Made by `verifyEvidence` (transactions/verify-evidence.ts). */
export type VerifyChain = (source: ChainSource, judgeToken: JudgeToken) => Promise<EvidenceReport>;

export type SearchChainDeps = {
  readonly store: Pick<EvidenceCommands, "listLinks" | "listAnchors">;
  /** Heads that were kept outside of the store. */
  readonly listHeads: (tenantId: string) => Promise<readonly KnownHead[]>;
  readonly verifyChain: VerifyChain;
  readonly judgeToken: JudgeToken;
};

/** The entries of an operation, found in a part of the chain that was checked. */
export type FoundEntries = {
  readonly own: readonly StoredLink[];
  /** Valid or not: the faults name the others. */
  readonly anchors: readonly Anchor[];
  /** The last entry that was read; absent where the part is empty. */
  readonly last?: StoredLink;
  /** The entries that were read. `isWhole` is false where the chain goes on. */
  readonly searched: { readonly from: number; readonly through: number; readonly isWhole: boolean };
  readonly faults: EvidenceReport["faults"];
};

/**
 * Most entries that one search reads: our choice. A page of 1,000 takes the embedded store some 4 ms, so that other
 * commands wait for less than a second in all.
 */
export const searchedMax = 200_000;

/**
 * An entry's time is that of its call, and calls commit in another order: the search begins so much earlier. A call has
 * minutes at most.
 */
const slackMs = 3_600_000;

/**
 * Reads the chain of a tenant from shortly before `since` to its end, checks it as `idem evidence verify` does, and finds
 * the entries for which `isOwn` is true.
 */
export const searchChain = async (
  { store, listHeads, verifyChain, judgeToken }: SearchChainDeps,
  { tenantId, since, most = searchedMax }: { tenantId: string; since: Date; most?: number },
  isOwn: (link: StoredLink) => boolean,
): Promise<FoundEntries> => {
  // Heads and anchors first: the chain may grow meanwhile, but never ends before one of them.
  const heads = await listHeads(tenantId);
  const start = await findStart(store, tenantId, since.getTime() - slackMs);
  const anchors = await readAnchors(store, tenantId, start.seq);
  const own: StoredLink[] = [];
  let [count, isWhole] = [0, true];
  let last: StoredLink | undefined;
  async function* links() {
    for await (const link of linksAfter(store, tenantId, start.seq)) {
      if (count === most) {
        isWhole = false;
        return;
      }
      count += 1;
      last = link;
      if (isOwn(link)) own.push(link);
      yield link;
    }
  }
  const inside = ({ seq }: { readonly seq: number }) => seq >= start.seq;
  const report = await verifyChain(
    { links: links(), anchors: listed(anchors), heads: heads.filter(inside), start },
    judgeToken,
  );
  const through = last?.seq ?? start.seq;
  // Beyond the last entry that was read stand heads, and the records of removed bodies.
  const isInside = ({ seq, field }: ChainFault): boolean => seq < through && field !== "body";
  const faults = isWhole ? report.faults : report.faults.filter(isInside);
  const searched = { from: start.seq + 1, through, isWhole };
  return { own, anchors, ...(last && { last }), searched, faults };
};

/** Entries after `seq`, page by page. */
export async function* linksAfter(
  store: SearchChainDeps["store"],
  tenantId: string,
  seq: number,
): AsyncGenerator<StoredLink> {
  for (let after = seq; ; ) {
    const page = await store.listLinks(tenantId, after);
    yield* page;
    const last = page.at(-1);
    if (last === undefined) return;
    after = last.seq;
  }
}

const readAnchors = async (
  store: SearchChainDeps["store"],
  tenantId: string,
  seq: number,
): Promise<readonly Anchor[]> => {
  const anchors: Anchor[] = [];
  for (;;) {
    const page = await store.listAnchors(tenantId, anchors.at(-1)?.seq ?? seq);
    if (page.length === 0) return anchors;
    anchors.push(...page);
  }
};

async function* listed<Value>(values: readonly Value[]): AsyncGenerator<Value> {
  yield* values;
}

/** The hash before the first entry of a chain, as `chainStart` of transactions. */
const zeros = "0".repeat(64);

/** The last entry before `time`, by halves: positions and times ascend together, but for the time of a call. */
const findStart = async (
  { listLinks }: SearchChainDeps["store"],
  tenantId: string,
  time: number,
): Promise<{ readonly seq: number; readonly hash: string }> => {
  const entryAfter = async (seq: number) => (await listLinks(tenantId, seq, 1)).at(0);
  let start: { readonly seq: number; readonly hash: string } = { seq: 0, hash: zeros };
  let step = 1;
  // Doubles the step while entries are too early, then halves it.
  for (let isDoubling = true; step >= 1; ) {
    const next = await entryAfter(start.seq + step - 1);
    const isEarly = next !== undefined && next.at < time;
    if (isEarly) start = { seq: next.seq, hash: next.hash };
    isDoubling &&= isEarly;
    step = isDoubling ? step * 2 : Math.floor(step / 2);
  }
  return start;
};
