/** Entry of the thread that holds the list of politically exposed persons and searches it. */
import { workerData } from "node:worker_threads";
import { type PepList, type PepPerson, readPepList } from "#judging/document/decision/watchlists/pep-list";
import { serveTasks } from "#machine/threads/serve-tasks";

/**
 * The `workerData` of the thread: the file in UTF-8. The memory is shared, so that a thread that replaces
 * another has the same list.
 */
export type WatchlistData = { readonly file: Uint8Array };

const { file }: WatchlistData = workerData;

/**
 * A list that cannot be read fails the call that asks for it: a thread that cannot start would be started
 * again and again.
 */
const readOnce = (): PepList | Error => {
  try {
    return readPepList(Buffer.from(file).toString("utf8"));
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
};

const opened = readOnce();

const getList = (): PepList => {
  if (opened instanceof Error) throw opened;
  return opened;
};

const tasks = {
  /** What is said of the list. The question is the format that the caller reads. */
  describe: async ({ format }: { readonly format: "idem-pep-1" }) => {
    const { source, version, sha256, size } = getList();
    return { format, source, version, sha256, size };
  },
  findMatches: async (person: PepPerson) => getList().findMatches(person),
};

/** Inputs and results of `pool.run`, by the name of the task. */
export type WatchlistTasks = typeof tasks;

/** The pool waits for this promise before it counts the thread as ready. */
export const runTask = Promise.resolve(serveTasks(tasks, () => ({})));
