import { setTimeout as sleep } from "node:timers/promises";
import { Failure } from "#contract/failure";
import type { FaceList } from "../store/face-list.ts";
import type { FaceListCommands } from "../store/face-list-store.ts";
import { type Followed, type FollowListDeps, followList, type TenantList } from "./follow-list.ts";
import { retryAfterSeconds } from "./message.ts";

export type FollowDeps = Omit<FollowListDeps, "store"> & {
  readonly store: FollowListDeps["store"] & Pick<FaceListCommands, "listEvidenceHeads">;
  /** The lists to hold, in the order in which they are filled. */
  readonly lists: readonly FaceList[];
  /** Called when a list is filled for the first time, and every ten seconds until then. */
  readonly onProgress: (progress: Progress) => void;
  /** A round failed. The next round tries again. */
  readonly onError: (error: unknown) => void;
  readonly pollMs: number;
};

export type Progress = {
  readonly list: FaceList;
  readonly isFilled: boolean;
  readonly faces: number;
  /** Made by another recogniser, or damaged: these faces cannot be compared. */
  readonly unopened: number;
  readonly tenants: number;
  readonly tenantsTotal: number;
};

export type Follower = {
  /**
   * Resolves when the first list was filled or could not be. A server that starts earlier would refuse calls
   * for a moment.
   */
  readonly begun: Promise<void>;
  readonly isFilled: (list: FaceList) => boolean;
  /**
   * Applies all changes to a list of a tenant. Fails with search_unavailable until the list is filled, if
   * this tenant's list cannot be filled, and if the gallery thread ends during the call.
   */
  readonly catchUp: (list: FaceList, tenantId: string) => Promise<CaughtUp>;
  /** Call it when the gallery thread has ended: every list is filled again. */
  readonly reset: () => void;
  readonly stop: () => Promise<void>;
};

export type CaughtUp = {
  /** The position of the tenant's evidence that the gallery has reached. */
  readonly seq: number;
  /**
   * Fails with search_unavailable if the thread has ended since. Its answer may then come from an empty
   * gallery.
   */
  readonly requireSameThread: () => void;
};

const progressMs = 10_000;
/** One list of one tenant. Its work runs one piece after the other. */
type FollowQueue = { readonly followed: Followed; last: Promise<unknown> };

/** The state for one gallery thread, from its start to its end. */
type ThreadState = {
  readonly filled: Set<FaceList>;
  readonly tenantLists: ReturnType<typeof makeTenantLists>;
  readonly ending: AbortController;
};

/**
 * Fills the galleries from the store and keeps them up to date. Every change of a list adds an entry to the
 * tenant's evidence in the same commit, so the evidence is the change feed for every process.
 */
export const startFollowing = (deps: FollowDeps): Follower => {
  const stopping = new AbortController();
  const { signal } = stopping;
  const begin = (): ThreadState => {
    const ending = new AbortController();
    const tenantLists = makeTenantLists(deps, AbortSignal.any([signal, ending.signal]));
    return { filled: new Set(), tenantLists, ending };
  };
  let current = begin();
  const begun = Promise.withResolvers<void>();
  const running = followOn(deps, () => current, signal, begun.resolve);
  return {
    begun: begun.promise,
    isFilled: (list) => current.filled.has(list),
    catchUp: async (list, tenantId) => {
      const state = current;
      const requireSameThread = (cause?: unknown): void => {
        if (current !== state) throw unavailable(cause);
      };
      if (!state.filled.has(list)) {
        throw unavailable();
      }
      try {
        const seq = await state.tenantLists.follow({ list, tenantId }, 0);
        requireSameThread();
        return { seq, requireSameThread };
      } catch (error) {
        requireSameThread(error);
        throw error instanceof Failure ? error : unavailable(error);
      }
    },
    reset: () => {
      current.ending.abort();
      current = begin();
    },
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
};

const unavailable = (cause?: unknown): Failure =>
  new Failure("search_unavailable", { retryAfterSeconds }, { cause });

/**
 * Runs round after round until it is stopped. Calls `onBegun` when the first list was filled or could not be.
 */
const followOn = async (
  deps: FollowDeps,
  currentState: () => ThreadState,
  signal: AbortSignal,
  onBegun: () => void,
): Promise<void> => {
  while (!signal.aborted) {
    const current = currentState();
    try {
      for (const list of deps.lists) {
        await followAll(deps, current, list);
        onBegun();
      }
    } catch (error) {
      // The owner of the thread reports that it ended.
      if (!signal.aborted && current === currentState()) deps.onError(error);
    }
    onBegun();
    await sleep(deps.pollMs, undefined, { signal, ref: false }).catch(() => undefined);
  }
};

/** Every list of every tenant seen so far; each is followed by one call at a time. */
const makeTenantLists = (deps: FollowListDeps, signal: AbortSignal) => {
  const tenantLists = new Map<string, FollowQueue>();
  const queueOf = ({ list, tenantId }: TenantList): FollowQueue => {
    const name = `${list} ${tenantId}`;
    const tenantList = tenantLists.get(name) ?? {
      followed: { seq: undefined, faces: 0, unopened: 0 },
      last: Promise.resolve(),
    };
    tenantLists.set(name, tenantList);
    return tenantList;
  };
  return {
    queueOf,
    follow: (tenantList: TenantList, seqMin: number): Promise<number> => {
      const queue = queueOf(tenantList);
      const work = () => followList(deps, tenantList, queue.followed, seqMin, signal);
      const done = queue.last.then(work, work);
      queue.last = done;
      return done;
    },
  };
};

/**
 * One round over the tenants. Reports progress until the list is filled for the first time. If one tenant
 * fails by itself, it is reported and tried again in the next round; the others continue.
 */
const followAll = async (
  deps: FollowDeps,
  { filled, tenantLists: { queueOf, follow }, ending }: ThreadState,
  list: FaceList,
): Promise<void> => {
  const { store, onProgress, onError } = deps;
  const heads = await store.listEvidenceHeads();
  const isFirst = !filled.has(list);
  const report = (isFilled: boolean): void => {
    const all = heads.map(({ tenantId }) => queueOf({ list, tenantId }).followed);
    onProgress({
      list,
      isFilled,
      faces: all.reduce((sum, { faces }) => sum + faces, 0),
      unopened: all.reduce((sum, { unopened }) => sum + unopened, 0),
      tenants: all.filter(({ seq }) => seq !== undefined).length,
      tenantsTotal: all.length,
    });
  };
  const timer = setInterval(() => isFirst && report(false), progressMs);
  timer.unref();
  try {
    for (const { tenantId, seq } of heads) {
      const { followed } = queueOf({ list, tenantId });
      if (followed.seq === undefined || followed.seq < seq) {
        await follow({ list, tenantId }, seq).catch((error: unknown) => {
          if (ending.signal.aborted || affectsAll(error)) throw error;
          onError(error);
        });
      }
    }
  } finally {
    clearInterval(timer);
  }
  if (isFirst) {
    filled.add(list);
    report(true);
  }
};

/** True if the next tenant would fail too: the store is unavailable, or the thread or the service ends. */
const affectsAll = (error: unknown): boolean =>
  error instanceof Failure || (error instanceof Error && error.name === "AbortError");
