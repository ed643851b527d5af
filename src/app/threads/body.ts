/** Entry of a thread that reads large request bodies. It holds nothing between two bodies. */
import { consumeBody } from "#machine/http/read-json";
import { stepBack } from "#machine/threads/priority";
import { serveTasks } from "#machine/threads/serve-tasks";
import { Moved } from "#machine/threads/task";

type SentBody = { readonly blocks: readonly Uint8Array<ArrayBuffer>[]; readonly isHashed: boolean };

const tasks = {
  readBody: async ({ blocks, isHashed }: SentBody) => {
    const parts = consumeBody(blocks, isHashed);
    const buffers = parts.longValues.flatMap(
      ({ decoding: { bytes, text } }) => (bytes ?? text)?.buffer ?? [],
    );
    return new Moved(parts, buffers);
  },
};

/** Inputs and results of `pool.run`, by the name of the task. */
export type BodyTasks = typeof tasks;

// A hostile body must not take processor time from the thread that answers.
stepBack();

/** The pool waits for this promise before it counts the thread as ready. */
export const runTask = Promise.resolve(serveTasks(tasks, () => ({})));
