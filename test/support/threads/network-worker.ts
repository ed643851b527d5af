import { ledger } from "#machine/networks/ledger";
import { openNetworks } from "#machine/networks/networks";
import { serveTasks } from "#machine/threads/serve-tasks";
import { runUnbroken } from "#machine/threads/unbroken";

const { networks, takeTimings } = openNetworks(ledger, undefined, [], { runWhole: runUnbroken });
const side = 736;
const run = () =>
  networks["text-detector"].run({ data: new Float32Array(3 * side * side), dims: [1, 3, side, side] });

const tasks = {
  runOnce: async (_input: null) => Object.keys(await run()).length,
  runForever: async (_input: null): Promise<never> => {
    for (;;) await run();
  },
};

export type NetworkTasks = typeof tasks;

/** A thread with a network that is inside its runtime nearly all the time. */
export const runTask = run().then(() => serveTasks(tasks, takeTimings));
