import { ledger } from "#inference/ledger";
import { openNetworks } from "#inference/networks";
import { serveTasks } from "../serve-tasks.ts";
import { runUnbroken } from "../unbroken.ts";

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
