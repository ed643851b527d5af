import { setTimeout as sleep } from "node:timers/promises";
import { Failure } from "#contract/failure";
import type { FaceList } from "#storage/face-list";
import type { Store } from "#storage/store";
import { type Followed, followList, type Place, type Route } from "./follow-list.ts";
import { retryAfterSeconds } from "./message.ts";

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
   * Brings a list of a tenant to the present. Fails with search_unavailable until the list was filled, where this tenant's
   * cannot be, and where the galleries' thread ends meanwhile.
   */
  readonly catchUp: (list: FaceList, tenantId: string) => Promise<CaughtUp>;
  /** The galleries' thread has ended: all is filled anew. */
  readonly reset: () => void;
  readonly stop: () => Promise<void>;
};

export type CaughtUp = {
  /** How far the tenant's evidence went then. */
  readonly seq: number;
  /** Fails with search_unavailable where the thread has ended since: what it answered with may be an empty gallery. */
  readonly requireStill: () => void;
};

const progressMs = 10_000;
/** What is done on one place is done one after the other. */
type InTurn = { readonly followed: Followed; last: Promise<unknown> };

/** From the beginning of the galleries' thread to its end. */
type Life = {
  readonly filled: Set<FaceList>;
  readonly places: ReturnType<typeof makePlaces>;
  readonly ending: AbortController;
};

/**
 * Fills the galleries from the store and keeps them up to date. Every change of a list leaves its entry in the tenant's
 * evidence in the same commit, so the evidence is the feed: whichever process made the change, this one reads it there.
 */
export const startFollowing = (deps: FollowDeps): Follower => {
  const stopping = new AbortController();
  const { signal } = stopping;
  const begin = (): Life => {
    const ending = new AbortController();
    const places = makePlaces(deps, AbortSignal.any([signal, ending.signal]));
    return { filled: new Set(), places, ending };
  };
  let life = begin();
  const begun = Promise.withResolvers<void>();
  const running = followOn(deps, () => life, signal, begun.resolve);
  return {
    begun: begun.promise,
    isFilled: (list) => life.filled.has(list),
    catchUp: async (list, tenantId) => {
      const mine = life;
      const requireStill = (cause?: unknown): void => {
        if (life !== mine) throw unavailable(cause);
      };
      if (!mine.filled.has(list)) {
        throw unavailable();
      }
      try {
        const seq = await mine.places.follow({ list, tenantId }, 0);
        requireStill();
        return { seq, requireStill };
      } catch (error) {
        requireStill(error);
        throw error instanceof Failure ? error : unavailable(error);
      }
    },
    reset: () => {
      life.ending.abort();
      life = begin();
    },
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
};

const unavailable = (cause?: unknown): Failure =>
  new Failure("search_unavailable", { retryAfterSeconds }, { cause });

/** Round after round until it is stopped. `onBegun` hears that the first list was filled, or could not be. */
const followOn = async (
  deps: FollowDeps,
  lifeNow: () => Life,
  signal: AbortSignal,
  onBegun: () => void,
): Promise<void> => {
  while (!signal.aborted) {
    const life = lifeNow();
    try {
      for (const list of deps.lists) {
        await followAll(deps, life, list);
        onBegun();
      }
    } catch (error) {
      // Of a thread that has ended its owner tells.
      if (!signal.aborted && life === lifeNow()) deps.onError(error);
    }
    onBegun();
    await sleep(deps.pollMs, undefined, { signal, ref: false }).catch(() => undefined);
  }
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
  };
};

/**
 * One round over the tenants; tells of its progress as long as the list was never filled. A tenant that fails by itself is
 * told of and tried again in the next round: the others do not wait for it.
 */
const followAll = async (
  deps: FollowDeps,
  { filled, places: { placeOf, follow }, ending }: Life,
  list: FaceList,
): Promise<void> => {
  const { store, onProgress, onError } = deps;
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
        await follow({ list, tenantId }, seq).catch((error: unknown) => {
          if (ending.signal.aborted || isOfAll(error)) throw error;
          onError(error);
        });
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

/** Whether the next tenant would fail in the same way: the store is away, or the thread or the service ends. */
const isOfAll = (error: unknown): boolean =>
  error instanceof Failure || (error instanceof Error && error.name === "AbortError");
