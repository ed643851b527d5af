import type { Timing, Timings } from "#machine/networks/networks";

type Counts = { readonly refused: number; readonly timedOut: number; readonly died: number };

/** State and running sums of a pool since it started, for the metrics endpoint. */
export type PoolReadings = Counts & {
  readonly workers: number;
  /** Threads alive. If it stays below `workers` longer than a start takes, a thread cannot start again. */
  readonly threads: number;
  readonly running: number;
  readonly waiting: number;
  /** Time that tasks waited for a free thread. */
  readonly waits: Timing;
  readonly tasks: Readonly<Record<string, Timing>>;
  readonly models: Timings;
};

/** Running sums of one pool. Made by {@link makeMeter}. */
export type Meter = {
  readonly count: (event: keyof Counts) => void;
  readonly waited: (ms: number) => void;
  readonly ran: (task: string, ms: number) => void;
  readonly usedModels: (timings: Timings) => void;
  /** Mean time of a task, in milliseconds; 0 before the first. */
  readonly meanTaskMs: () => number;
  readonly readings: () => Omit<PoolReadings, "workers" | "threads" | "running" | "waiting">;
};

const nothing: Timing = { runs: 0, ms: 0 };

const plus = (sum: Timing = nothing, { runs, ms }: Timing): Timing => ({
  runs: sum.runs + runs,
  ms: sum.ms + ms,
});

/** Sums the counts and times of one pool since its start. */
export const makeMeter = (): Meter => {
  const counts = { refused: 0, timedOut: 0, died: 0 };
  const tasks = new Map<string, Timing>();
  const models = new Map<string, Timing>();
  let waits = nothing;
  return {
    count: (event) => {
      counts[event]++;
    },
    waited: (ms) => {
      waits = plus(waits, { runs: 1, ms });
    },
    ran: (task, ms) => {
      tasks.set(task, plus(tasks.get(task), { runs: 1, ms }));
    },
    usedModels: (timings) => {
      for (const [name, timing] of Object.entries(timings)) models.set(name, plus(models.get(name), timing));
    },
    meanTaskMs: () => {
      const all = [...tasks.values()].reduce(plus, nothing);
      return all.runs === 0 ? 0 : all.ms / all.runs;
    },
    readings: () => ({
      ...counts,
      waits,
      tasks: Object.fromEntries(tasks),
      models: Object.fromEntries(models),
    }),
  };
};
