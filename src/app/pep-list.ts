/**
 * Composition of the list of politically exposed persons that an operator imported: a thread of its own holds
 * and searches it.
 */
import { readFile } from "node:fs/promises";
import { Failure } from "#contract/failure";
import type { PepList, PepMatches, PepPerson } from "#judging/document/decision/watchlists/pep-list";
import type { Config } from "#machine/config/config";
import type { Collector } from "#machine/http/metrics";
import { makePool, type Pool } from "#machine/threads/pool";
import type { Report } from "./report.ts";
import type { WatchlistData, WatchlistTasks } from "./threads/watchlist.ts";

/** The list in its thread. Made by {@link openPepList}. */
export type OpenedPepList = Omit<PepList, "findMatches"> & {
  /**
   * As `PepList`, in the thread. Fails with engine_busy where too many searches wait, and with engine_failed
   * where the thread dies twice.
   */
  readonly findMatches: (person: PepPerson) => Promise<PepMatches>;
  readonly gauges: readonly Collector[];
  readonly close: () => Promise<void>;
};

/**
 * A search takes some 10 ms, a common name in a list of 300,000 up to 1.2 s: more searches than this wait too
 * long.
 */
const waitingMax = 100;

/** A hundred searches of the slowest kind do not reach it; a thread that takes longer hangs. */
const searchMsMax = 30_000;

/** A list of 500,000 persons takes some 400 MB: its texts, and the index of their parts. */
const heapMbMax = 1024;

const watchlistThread = new URL("./threads/watchlist.ts", import.meta.url);

/** The bytes in memory that every thread of the pool reads, without a copy each. */
const shared = (bytes: Uint8Array): Uint8Array => {
  const copy = new Uint8Array(new SharedArrayBuffer(bytes.length));
  copy.set(bytes);
  return copy;
};

/**
 * If the thread died, searches once more: the pool has replaced it, and the new thread has read the same
 * list.
 */
const searchIn =
  (pool: Pool<WatchlistTasks>): OpenedPepList["findMatches"] =>
  async (person) => {
    try {
      return await pool.run("findMatches", person);
    } catch (error) {
      if (!(error instanceof Failure && error.code === "engine_failed")) throw error;
      return await pool.run("findMatches", person);
    }
  };

const gauge = (name: string, help: string, value: () => number): Collector => ({
  name,
  help,
  read: () => [{ value: value() }],
});

/** Starts the thread over the bytes of a list. Throws Error with the reason for an invalid list. */
export const startPepThread = async (
  bytes: Uint8Array,
  onDeath: (cause: unknown) => void,
  worker: URL = watchlistThread,
): Promise<OpenedPepList> => {
  const workerData: WatchlistData = { file: shared(bytes) };
  const pool = makePool<WatchlistTasks>({
    worker,
    workers: 1,
    queueMax: waitingMax,
    taskMsMax: searchMsMax,
    heapMbMax,
    workerData,
    onDeath,
  });
  try {
    await pool.ready;
    return {
      ...(await pool.run("describe", { format: "idem-pep-1" })),
      findMatches: searchIn(pool),
      gauges: [
        gauge(
          "idem_watchlist_searches_waiting",
          "Searches that wait for the thread of the watchlist",
          () => pool.readings().waiting,
        ),
        gauge(
          "idem_watchlist_threads_died",
          "Threads of the watchlist that died",
          () => pool.readings().died,
        ),
      ],
      close: pool.close,
    };
  } catch (error) {
    await pool.close();
    throw error;
  }
};

/**
 * Undefined if no list is configured. Throws Error with the reason for an unreadable file or an invalid list.
 * The list is read and searched in a thread: a search of a common name would stop the main thread for a
 * second. A death of the thread is reported.
 */
export const openPepList = async (
  { validation: { pepFile } }: { readonly validation: Pick<Config["validation"], "pepFile"> },
  report: Report,
  worker?: URL,
): Promise<OpenedPepList | undefined> => {
  if (pepFile === undefined) return undefined;
  try {
    const onDeath = (cause: unknown): void =>
      report("watchlist", "The thread of the watchlist died and was replaced", cause);
    return await startPepThread(await readFile(pepFile), onDeath, worker);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`IDEM_PEP_LIST names ${pepFile}: ${reason}`, { cause });
  }
};
