import type { Collector } from "#machine/http/metrics";
import type { PoolReadings } from "./meter.ts";

/** The pool's readings as metrics: queue, threads, tasks and models. No label names a person. */
export const poolGauges = (read: () => PoolReadings): readonly Collector[] => [
  gauge("idem_engine_running", "Tasks that an inference thread works on", () => read().running),
  gauge("idem_engine_waiting", "Tasks that wait for an inference thread", () => read().waiting),
  gauge("idem_engine_threads", "Inference threads alive", () => read().threads),
  gauge("idem_engine_refused", "Tasks refused because the queue was full", () => read().refused),
  gauge("idem_engine_timed_out", "Tasks ended because they ran too long", () => read().timedOut),
  gauge("idem_engine_died", "Inference threads that died and were replaced", () => read().died),
  gauge("idem_engine_wait_seconds", "Time that tasks have waited, in all", () => read().waits.ms / 1000),
  ...timings("task", "idem_engine_task", () => read().tasks),
  ...timings("model", "idem_model", () => read().models),
];

const gauge = (name: string, help: string, value: () => number): Collector => ({
  name,
  help,
  read: () => [{ value: value() }],
});

const timings = (label: string, name: string, read: () => PoolReadings["tasks"]): readonly Collector[] => [
  {
    name: `${name}_runs`,
    help: `Runs of each ${label} since the start`,
    labels: [label],
    read: () => Object.entries(read()).map(([key, { runs }]) => ({ labels: { [label]: key }, value: runs })),
  },
  {
    name: `${name}_seconds`,
    help: `Time spent in each ${label} since the start`,
    labels: [label],
    read: () =>
      Object.entries(read()).map(([key, { ms }]) => ({ labels: { [label]: key }, value: ms / 1000 })),
  },
];
