/** A thread of the watchlist whose first search ends it. The threads after it are whole. */
import { workerData } from "node:worker_threads";
import { runTask as whole } from "#app/threads/watchlist";

/** The first byte of the shared file says whether a thread has died: white space does not change a list. */
const { file }: { readonly file: Uint8Array } = workerData;

const serve = await whole;

/** As the thread of the service. */
export const runTask = Promise.resolve(async (message: Parameters<typeof serve>[0]) => {
  if (message.task === "findMatches" && file.at(-1) !== 0x20) {
    file[file.length - 1] = 0x20;
    process.exit(1);
  }
  return await serve(message);
});
