import type { ChainHead, EvidenceCommands } from "./store/evidence-store.ts";

/** How the heads are kept outside of the database: in a file and the log, or as time-stamps. */
export type AnchorKind = "file" | "timestamp";

/** The newest anchored head of each tenant, and the writing of another. */
export type AnchorPlace = {
  readonly kind: AnchorKind;
  /** The newest anchor of each tenant; `at` is when it was made. */
  readonly listNewest: () => Promise<readonly ChainHead[]>;
  /** Keeps a head. Its anchor is durable when this resolves. */
  readonly keep: (head: ChainHead, signal: AbortSignal) => Promise<void>;
};

export type AnchorHeadsDeps = {
  readonly store: Pick<EvidenceCommands, "listChainHeads" | "listLinks">;
  readonly place: AnchorPlace;
  readonly everyMs: number;
  readonly clock: () => Date;
  /** A head could not be kept. The next round tries again. */
  readonly onError: (tenantId: string, error: unknown) => void;
};

/** State of the anchors for the metrics. Times are milliseconds since 1970; absent where there is none. */
export type AnchorState = {
  readonly newestAt?: number;
  /** Time of the oldest entry that no anchor covers. */
  readonly unanchoredSince?: number;
};

/** The rounds come once an hour, some milliseconds early or late. */
const roundMs = 3_600_000;

/**
 * Keeps the head of every chain that has grown since its last anchor, once in each interval. Reports a chain
 * that no longer holds its anchored entry, and keeps no head of it. After a head that could not be kept, the
 * round asks for no other: an authority that does not answer must not hold up the tasks that follow. Run it
 * every hour. Made by {@link makeAnchorHeads}.
 */
export type AnchorHeads = {
  readonly run: (signal: AbortSignal) => Promise<void>;
  readonly state: () => AnchorState;
};

export const makeAnchorHeads = (deps: AnchorHeadsDeps): AnchorHeads => {
  const { store, place, everyMs, clock, onError } = deps;
  let state: AnchorState = {};
  return {
    state: () => state,
    run: async (signal) => {
      const newest = new Map((await place.listNewest()).map((head) => [head.tenantId, head]));
      const heads = await store.listChainHeads();
      const latest = clock().getTime() - everyMs + roundMs / 2;
      let isOut = false;
      for (const head of withLost(heads, newest)) {
        if (signal.aborted) return;
        const { tenantId } = head;
        const former = newest.get(tenantId);
        try {
          if (former !== undefined) await requireHeld(store, head, former);
          const isDue = head.seq > (former?.seq ?? 0) && (former?.at ?? Number.NEGATIVE_INFINITY) <= latest;
          if (!isDue || isOut) continue;
          isOut = true;
          await place.keep(head, signal);
          isOut = false;
          newest.set(tenantId, { ...head, at: clock().getTime() });
        } catch (error) {
          if (signal.aborted) return;
          onError(tenantId, error);
        }
      }
      state = await stateOf(store, heads, newest);
    },
  };
};

/** The heads, and an empty chain for each anchored tenant whose whole chain is gone. */
const withLost = (
  heads: readonly ChainHead[],
  newest: ReadonlyMap<string, ChainHead>,
): readonly ChainHead[] => {
  const found = new Set(heads.map(({ tenantId }) => tenantId));
  const lost = [...newest.keys()].filter((tenantId) => !found.has(tenantId));
  return [...heads, ...lost.map((tenantId) => ({ tenantId, seq: 0, hash: "", at: 0 }))];
};

/** Throws Error for a chain that ends before its anchored entry, or holds another one in its place. */
const requireHeld = async (
  store: Pick<EvidenceCommands, "listLinks">,
  { tenantId, seq, hash }: ChainHead,
  anchored: ChainHead,
): Promise<void> => {
  const found =
    seq === anchored.seq ? hash : (await store.listLinks(tenantId, anchored.seq - 1, 1)).at(0)?.hash;
  if (seq < anchored.seq || found !== anchored.hash) {
    throw new Error(
      `The evidence chain ends at entry ${seq} and does not hold the anchored entry ${anchored.seq} any more: run idem evidence verify`,
    );
  }
};

const stateOf = async (
  store: Pick<EvidenceCommands, "listLinks">,
  heads: readonly ChainHead[],
  newest: ReadonlyMap<string, ChainHead>,
): Promise<AnchorState> => {
  const anchored = [...newest.values()].map(({ at }) => at);
  const open: number[] = [];
  for (const { tenantId, seq } of heads) {
    const after = newest.get(tenantId)?.seq ?? 0;
    const [first] = after < seq ? await store.listLinks(tenantId, after, 1) : [];
    if (first !== undefined) open.push(first.at);
  }
  return {
    ...(anchored.length > 0 && { newestAt: Math.max(...anchored) }),
    ...(open.length > 0 && { unanchoredSince: Math.min(...open) }),
  };
};
