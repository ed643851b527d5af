import { Worker } from "node:worker_threads";
import type { EgressThreadData } from "#app/threads/egress";

/** The thread of outgoing calls as a service starts it. */
export const startEgressWorker = (allow: readonly string[]): Worker => {
  const workerData: EgressThreadData = { allow };
  return new Worker(new URL("../../../src/app/threads/egress.ts", import.meta.url), { workerData });
};
