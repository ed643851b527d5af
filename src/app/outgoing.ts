/** Composition of outgoing HTTP: one thread for all calls of a service. */
import { Worker } from "node:worker_threads";
import type { Egress, EgressRules } from "#machine/egress/egress";
import { type EgressThread, makeEgressThread } from "#machine/egress/thread/egress-thread";
import type { Module } from "./module.ts";
import type { Report } from "./report.ts";
import type { EgressThreadData } from "./threads/egress.ts";

/** Heap of the thread: a call holds some hundred kB, and answers go out in batches. */
const heapMbMax = 256;

/** Outgoing calls of a service. Its thread starts with the first call, or with the module. */
export type Outgoing = {
  readonly egress: Egress;
  /** Starts the thread, and tells its deaths from now on. */
  readonly open: (report: Report) => Module;
};

const openThread = ({ allow, proxy }: EgressRules, onEnd: (cause: unknown) => void): EgressThread => {
  const workerData: EgressThreadData = { allow, ...(proxy && { proxy: proxy.href }) };
  const resourceLimits = { maxOldGenerationSizeMb: heapMbMax };
  const entry = new URL("./threads/egress.ts", import.meta.url);
  return makeEgressThread(() => new Worker(entry, { workerData, resourceLimits }), onEnd);
};

/**
 * Calls leave through the thread, so that no answer of a peer takes time of the thread that answers callers.
 */
export const openOutgoing = (rules: EgressRules): Outgoing => {
  let reporting: Report | undefined;
  const thread = openThread(rules, (cause) =>
    reporting?.("egress", "The thread of outgoing calls died. The next call starts it", cause),
  );
  return {
    egress: thread.egress,
    open: (report) => {
      reporting = report;
      thread.start();
      return {
        name: "egress",
        gauges: [
          {
            name: "idem_egress_calls",
            help: "Outgoing calls that run now",
            read: () => [{ value: thread.readings().calls }],
          },
          {
            name: "idem_egress_thread_deaths",
            help: "Deaths of the thread of outgoing calls since the start",
            read: () => [{ value: thread.readings().deaths }],
          },
        ],
        close: thread.close,
      };
    },
  };
};
