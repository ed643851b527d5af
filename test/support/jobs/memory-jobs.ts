import type { JobSource, LeaseAnswer, LeasedJob, LeaseRequest } from "#record/jobs/job";
import { judgeEndedLease } from "#record/jobs/judge-job";

export type Outcome = "done" | "failed" | "minimal failure";

type Row = {
  attempts: number;
  deaths: number | undefined;
  holder: string | undefined;
  dueAt: number;
  readonly outcomes: Outcome[];
};

const newRow = (): Row => ({
  attempts: 0,
  deaths: undefined,
  holder: undefined,
  dueAt: 0,
  outcomes: [],
});

const isPoisoned = ({ deaths }: Row, { deathsMax }: LeaseRequest): boolean =>
  deaths !== undefined && deaths < deathsMax;

type Rows = ReadonlyMap<string, Row>;

const endLeases = (rows: Rows, holder: string, { now, running }: LeaseRequest): void => {
  for (const [id, row] of rows) {
    const isEnded = row.holder !== undefined && row.dueAt <= now.getTime() && row.outcomes.length === 0;
    const isRunning = row.holder === holder && running.includes(id);
    if (!isEnded || isRunning) continue;
    const deaths = judgeEndedLease(row.deaths, row.holder === holder ? "alive" : "dead");
    Object.assign(row, { holder: undefined, dueAt: 0, attempts: row.attempts - 1, deaths });
  }
};

const lease = (rows: Rows, holder: string, request: LeaseRequest): LeaseAnswer<LeasedJob> => {
  const { limit, leaseMs, now, isAlone, deathsAllowed } = request;
  if (request.endsLeases) endLeases(rows, holder, request);
  const open = [...rows].filter(([, row]) => row.outcomes.length === 0);
  const due = open.filter(([, row]) => row.holder === undefined && row.dueAt <= now.getTime());
  const isOneRunning = open.some(([, row]) => row.holder !== undefined && isPoisoned(row, request));
  const poisoned = due
    .filter(([, row]) => isPoisoned(row, request) && row.deaths! <= deathsAllowed && !isOneRunning)
    .sort(([, a], [, b]) => a.deaths! - b.deaths!);
  const others = due.filter(([, row]) => !isPoisoned(row, request));
  const isPoisonedDue = !isAlone && poisoned.length > 0;
  const taken = isAlone ? poisoned.slice(0, 1) : others.slice(0, isPoisonedDue ? 0 : limit);
  const jobs = taken.map(([id, row]): LeasedJob => {
    Object.assign(row, { holder, dueAt: now.getTime() + leaseMs, attempts: row.attempts + 1 });
    const { attempts, deaths } = row;
    return { id, attempts, ...(deaths !== undefined && { deaths }) };
  });
  return { jobs, isPoisonedDue };
};

/** Jobs in memory, with the rules of a store: one lease holder, and a lost lease writes nothing. */
export const makeMemoryJobs = (...ids: readonly string[]) => {
  const rows = new Map<string, Row>(ids.map((id) => [id, newRow()]));
  const sourceOf = (holder: string): JobSource<LeasedJob, Outcome> => {
    const findHeld = ({ id }: LeasedJob): Row | undefined => {
      const row = rows.get(id);
      return row?.holder === holder && row.outcomes.length === 0 ? row : undefined;
    };
    const endLease = (job: LeasedJob, until: Date, isCounted: boolean): void => {
      const row = findHeld(job);
      if (row === undefined) return;
      const attempts = isCounted ? row.attempts : row.attempts - 1;
      Object.assign(row, { holder: undefined, dueAt: until.getTime(), attempts });
    };
    return {
      lease: async (request) => lease(rows, holder, request),
      renew: async (job, until) => {
        const row = findHeld(job);
        if (row !== undefined) row.dueAt = until.getTime();
        return row !== undefined;
      },
      retry: async (job, until, isCounted) => endLease(job, until, isCounted),
      finish: async (job, outcome) => {
        const row = findHeld(job);
        row?.outcomes.push(outcome);
        return row === undefined ? "lost" : "finished";
      },
    };
  };
  const add = (id: string): void => void rows.set(id, newRow());
  return { add, sourceOf, row: (id: string): Row => rows.get(id)!, rows };
};

export type MemoryJobs = ReturnType<typeof makeMemoryJobs>;
