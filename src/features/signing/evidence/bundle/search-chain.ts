import type { Anchor, EvidenceCommands, StoredLink } from "#record/transactions/store/evidence-store";
import type { ChainFault, KnownHead } from "#record/transactions/verify-chain";
import type { ChainSource, EvidenceReport, JudgeToken } from "#record/transactions/verify-evidence";

/**
 * Recomputes a chain and compares it with its anchors. Made by `verifyEvidence`
 * (record/transactions/verify-evidence.ts).
 */
export type VerifyChain = (source: ChainSource, judgeToken: JudgeToken) => Promise<EvidenceReport>;

/**
 * Reads what stands after a position of a tenant's chain. Made by `linksAfter` and `anchorsAfter`
 * (record/transactions/read-chain.ts).
 */
export type ReadAfter<Row> = (tenantId: string, seq: number) => AsyncIterable<Row>;

export type SearchChainDeps = {
  readonly store: Pick<EvidenceCommands, "listLinks">;
  readonly linksAfter: ReadAfter<StoredLink>;
  readonly anchorsAfter: ReadAfter<Anchor>;
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
 * Most entries that one search reads: our choice. A page of 1,000 takes the embedded store some 4 ms, so that
 * other commands wait for less than a second in all.
 */
export const searchedMax = 200_000;

/**
 * The time of an entry is the time of its call, and calls commit in another order. So the search begins this
 * much earlier. A call takes minutes at most.
 */
const slackMs = 3_600_000;

/**
 * Reads the chain of a tenant from shortly before `since` to its end, checks it as `idem evidence verify`
 * does, and finds the entries for which `isOwn` is true.
 */
export const searchChain = async (
  { store, linksAfter, anchorsAfter, listHeads, verifyChain, judgeToken }: SearchChainDeps,
  { tenantId, since, most = searchedMax }: { tenantId: string; since: Date; most?: number },
  isOwn: (link: StoredLink) => boolean,
): Promise<FoundEntries> => {
  // Heads and anchors first: the chain may grow meanwhile, but never ends before one of them.
  const heads = await listHeads(tenantId);
  const start = await findStart(store, tenantId, since.getTime() - slackMs);
  const before = start?.seq ?? 0;
  const anchors = await Array.fromAsync(anchorsAfter(tenantId, before));
  const own: StoredLink[] = [];
  let [count, isWhole] = [0, true];
  let last: StoredLink | undefined;
  async function* links() {
    for await (const link of linksAfter(tenantId, before)) {
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
  const inside = ({ seq }: { readonly seq: number }) => seq >= before;
  const report = await verifyChain(
    { links: links(), anchors: listed(anchors), heads: heads.filter(inside), ...(start && { start }) },
    judgeToken,
  );
  const through = last?.seq ?? before;
  // Heads, and the records of removed bodies, come after the last entry that was read.
  const isInside = ({ seq, field }: ChainFault): boolean => seq < through && field !== "body";
  const faults = isWhole ? report.faults : report.faults.filter(isInside);
  const searched = { from: before + 1, through, isWhole };
  return { own, anchors, ...(last && { last }), searched, faults };
};

async function* listed<Value>(values: readonly Value[]): AsyncGenerator<Value> {
  yield* values;
}

type ChainStart = NonNullable<ChainSource["start"]>;

/**
 * The last entry before `time`; undefined where there is none. By halves: positions and times ascend
 * together, but for the time of a call.
 */
const findStart = async (
  { listLinks }: SearchChainDeps["store"],
  tenantId: string,
  time: number,
): Promise<ChainStart | undefined> => {
  const entryAfter = async (seq: number) => (await listLinks(tenantId, seq, 1)).at(0);
  let start: ChainStart | undefined;
  let step = 1;
  // Doubles the step while entries are too early, then halves it.
  for (let isDoubling = true; step >= 1; ) {
    const next = await entryAfter((start?.seq ?? 0) + step - 1);
    const isEarly = next !== undefined && next.at < time;
    if (isEarly) start = { seq: next.seq, hash: next.hash };
    isDoubling &&= isEarly;
    step = isDoubling ? step * 2 : Math.floor(step / 2);
  }
  return start;
};
