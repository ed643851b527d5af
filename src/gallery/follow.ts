import { setTimeout as sleep } from "node:timers/promises";
import { Failure } from "#contract/failure";
import type { FaceList } from "#storage/face-list";
import type { Store } from "#storage/store";
import { type Followed, followList, type Place, type Route } from "./follow-list.ts";

export type FollowDeps = Omit<Route, "store"> & {
  readonly store: Route["store"] & Pick<Store, "listEvidenceHeads">;
  /** The lists to hold, in the order in which they are filled. */
  readonly lists: readonly FaceList[];
  /** Told when a list is filled for the first time, and every ten seconds until then. */
  readonly onProgress: (progress: Progress) => void;
  /** A round failed; the next one tries again. */
  readonly onError: (error: unknown) => void;
  readonly pollMs: number;
};

export type Progress = {
  readonly list: FaceList;
  readonly isFilled: boolean;
  readonly faces: number;
  /** Of another recogniser, or damaged: nobody can be compared with them. */
  readonly unopened: number;
  readonly tenants: number;
  readonly tenantsTotal: number;
};

export type Follower = {
  /** When the first list was filled, or could not be: whoever serves before that would refuse calls for a moment. */
  readonly begun: Promise<void>;
  readonly isFilled: (list: FaceList) => boolean;
  /**
   * Brings a list of a tenant to the present and answers how far the tenant's evidence went then. Fails with
   * search_unavailable until the list was filled.
   */
  readonly catchUp: (list: FaceList, tenantId: string) => Promise<number>;
  /** The galleries' thread has ended: all is filled anew. */
  readonly reset: () => void;
  readonly stop: () => Promise<void>;
};

const progressMs = 10_000;
const retryAfterSeconds = 5;

/** What is done on one place is done one after the other. */
type InTurn = { readonly followed: Followed; last: Promise<unknown> };

/**
 * Fills the galleries from the store and keeps them up to date. Every change of a list leaves its entry in the tenant's
 * evidence in the same commit, so the evidence is the feed: whichever process made the change, this one reads it there.
 */
export const startFollowing = (deps: FollowDeps): Follower => {
  const { lists, onError, pollMs } = deps;
  const stopping = new AbortController();
  const { signal } = stopping;
  const begun = Promise.withResolvers<void>();
  const filled = new Set<FaceList>();
  const places = makePlaces(deps, signal);

  const run = async (): Promise<void> => {
    while (!signal.aborted) {
      try {
        for (const list of lists) {
          await followAll(deps, places, list, filled);
          begun.resolve();
        }
      } catch (error) {
        if (!signal.aborted) onError(error);
      }
      begun.resolve();
      await sleep(pollMs, undefined, { signal, ref: false }).catch(() => undefined);
    }
  };
  const running = run();

  return {
    begun: begun.promise,
    isFilled: (list) => filled.has(list),
    catchUp: async (list, tenantId) => {
      if (!filled.has(list)) {
        throw new Failure("search_unavailable", { retryAfterSeconds });
      }
      return await places.follow({ list, tenantId }, 0);
    },
    reset: () => {
      filled.clear();
      places.clear();
    },
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
};

/** Every place that was ever met, each followed by one at a time. */
const makePlaces = (route: Route, signal: AbortSignal) => {
  const places = new Map<string, InTurn>();
  const placeOf = ({ list, tenantId }: Place): InTurn => {
    const name = `${list} ${tenantId}`;
    const place = places.get(name) ?? {
      followed: { seq: undefined, faces: 0, unopened: 0 },
      last: Promise.resolve(),
    };
    places.set(name, place);
    return place;
  };
  return {
    placeOf,
    follow: (place: Place, seqMin: number): Promise<number> => {
      const turn = placeOf(place);
      const work = () => followList(route, place, turn.followed, seqMin, signal);
      const done = turn.last.then(work, work);
      turn.last = done;
      return done;
    },
    clear: () => places.clear(),
  };
};

/** One round over the tenants; tells of its progress as long as the list was never filled. */
const followAll = async (
  { store, onProgress }: FollowDeps,
  { placeOf, follow }: ReturnType<typeof makePlaces>,
  list: FaceList,
  filled: Set<FaceList>,
): Promise<void> => {
  const heads = await store.listEvidenceHeads();
  const isFirst = !filled.has(list);
  const tell = (isFilled: boolean): void => {
    const all = heads.map(({ tenantId }) => placeOf({ list, tenantId }).followed);
    onProgress({
      list,
      isFilled,
      faces: all.reduce((sum, { faces }) => sum + faces, 0),
      unopened: all.reduce((sum, { unopened }) => sum + unopened, 0),
      tenants: all.filter(({ seq }) => seq !== undefined).length,
      tenantsTotal: all.length,
    });
  };
  const timer = setInterval(() => isFirst && tell(false), progressMs);
  timer.unref();
  try {
    for (const { tenantId, seq } of heads) {
      const { followed } = placeOf({ list, tenantId });
      if (followed.seq === undefined || followed.seq < seq) {
        await follow({ list, tenantId }, seq);
      }
    }
  } finally {
    clearInterval(timer);
  }
  if (isFirst) {
    filled.add(list);
    tell(true);
  }
};
