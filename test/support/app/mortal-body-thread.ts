/** A thread that reads bodies, as the service's own, but ends over the body `die`. */
import { readBody } from "#machine/http/read-json";
import { serveTasks } from "#machine/threads/serve-tasks";

const tasks = {
  readBody: async ({ blocks }: { readonly blocks: readonly Uint8Array<ArrayBuffer>[] }) => {
    if (Buffer.concat(blocks).toString() === "die") process.exit(7);
    return readBody(blocks, false);
  },
};

export const runTask = Promise.resolve(serveTasks(tasks, () => ({})));
