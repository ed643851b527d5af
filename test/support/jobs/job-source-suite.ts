import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { JobSource, LeasedJob, LeaseRequest } from "#record/jobs/job";

/** An empty store of one kind of job. */
export type JobGround<Job extends LeasedJob, Outcome> = {
  /** Stores a job that is due, and returns its id. Jobs come in the order in which they were stored. */
  readonly add: () => Promise<string>;
  /** The store as one holder sees it, each over a connection of its own where the store has several. */
  readonly sourceOf: (holder: string) => JobSource<Job, Outcome>;
  readonly outcomeOf: (job: Job) => Outcome;
  readonly close: () => Promise<void>;
};

const start = 1_800_000_000_000;
const leaseMs = 30_000;

/** A request of a holder that runs nothing else, at this time. */
const request = (ms: number, change: Partial<LeaseRequest> = {}): LeaseRequest => ({
  limit: 10,
  leaseMs,
  now: new Date(start + ms),
  isAlone: false,
  running: [],
  endsLeases: true,
  deathsAllowed: 2,
  deathsMax: 3,
  ...change,
});

/** The guarantees of every store of jobs towards the lease loop, as far as deaths are concerned. */
export const describeJobSource = <Job extends LeasedJob, Outcome>(
  name: string,
  open: () => Promise<JobGround<Job, Outcome>>,
): void => {
  describe(`jobs: ${name}`, () => {
    let ground: JobGround<Job, Outcome>;
    beforeEach(async () => {
      ground = await open();
    });
    afterEach(() => ground.close());

    const lease = (holder: string, ms: number, change: Partial<LeaseRequest> = {}) =>
      ground.sourceOf(holder).lease(request(ms, change));
    const alone = { isAlone: true } as const;
    /** Lets the holder die: its leases end unseen. Returns the time after that. */
    const dieAlone = async (holder: string, ms: number): Promise<number> => {
      expect((await lease(holder, ms, alone)).jobs).toHaveLength(1);
      return ms + leaseMs;
    };
    const facts = ({ id, attempts, deaths }: LeasedJob) => [id, attempts, deaths];

    it("are poisoned if a dead holder had them, and not if another holder has them", async () => {
      const ids = [await ground.add(), await ground.add(), await ground.add()];
      await lease("dead", 0, { limit: 2 });
      const { jobs } = await lease("alive", 0);
      expect(jobs.map(facts)).toEqual([[ids[2], 1, undefined]]);
      await ground.sourceOf("alive").renew(jobs[0]!, new Date(start + 3 * leaseMs));
      expect(await lease("next", leaseMs - 1)).toEqual({ jobs: [], isPoisonedDue: false });
      expect(await lease("next", leaseMs)).toEqual({ jobs: [], isPoisonedDue: true });
      expect((await lease("next", leaseMs, alone)).jobs.map(facts)).toEqual([[ids[0], 1, 0]]);
      expect(await ground.sourceOf("alive").finish(jobs[0]!, ground.outcomeOf(jobs[0]!))).toBe("finished");
    });

    it("are leased beside others while a poisoned one runs alone elsewhere, but no second poisoned one is", async () => {
      await ground.add();
      await ground.add();
      await lease("dead", 0);
      const fresh = await ground.add();
      expect(await lease("a", leaseMs)).toEqual({ jobs: [], isPoisonedDue: true });
      const [poisoned] = (await lease("a", leaseMs, alone)).jobs;
      expect((await lease("b", leaseMs, alone)).jobs).toEqual([]);
      const others = await lease("b", leaseMs);
      expect(others.jobs.map(facts)).toEqual([[fresh, 1, undefined]]);
      expect(others.isPoisonedDue).toBe(false);
      await ground.sourceOf("a").finish(poisoned!, ground.outcomeOf(poisoned!));
      expect((await lease("b", leaseMs)).isPoisonedDue).toBe(true);
    });

    it("count a death against a poisoned job alone, and none while its lease is renewed", async () => {
      const id = await ground.add();
      await lease("dead", 0);
      let ms = leaseMs;
      for (const deaths of [0, 1, 2]) {
        const [job] = (await lease(`holder ${deaths}`, ms, alone)).jobs;
        expect(facts(job!)).toEqual([id, 1, deaths]);
        await ground.sourceOf(`holder ${deaths}`).renew(job!, new Date(start + ms + 2 * leaseMs));
        expect(await lease("next", ms + leaseMs)).toEqual({ jobs: [], isPoisonedDue: false });
        ms += 2 * leaseMs;
      }
      // The third death: the job is leased beside others, to fail.
      expect((await lease("next", ms, alone)).jobs).toEqual([]);
      expect((await lease("next", ms)).jobs.map(facts)).toEqual([[id, 1, 3]]);
    });

    it("come in the order of their deaths, and wait for a holder that may run them", async () => {
      const [first, second] = [await ground.add(), await ground.add()];
      await lease("dead", 0);
      const ms = await dieAlone("dead too", leaseMs);
      expect((await lease("a", ms, alone)).jobs.map(facts)).toEqual([[second, 1, 0]]);
      const later = ms + leaseMs;
      expect(await lease("b", later, { deathsAllowed: 0 })).toEqual({ jobs: [], isPoisonedDue: false });
      expect((await lease("b", later, { ...alone, deathsAllowed: 0 })).jobs).toEqual([]);
      expect((await lease("b", later, { ...alone, deathsAllowed: 1 })).jobs.map(facts)).toEqual([
        [first, 1, 1],
      ]);
    });

    it("stay poisoned when they are retried, and only a counted retry counts", async () => {
      const id = await ground.add();
      await lease("dead", 0);
      const a = ground.sourceOf("a");
      const [job] = (await lease("a", leaseMs, alone)).jobs;
      await a.retry(job!, new Date(start + 40_000), false);
      expect(await lease("b", 39_999)).toEqual({ jobs: [], isPoisonedDue: false });
      const [again] = (await lease("a", 40_000, alone)).jobs;
      expect(facts(again!)).toEqual([id, 1, 0]);
      await a.retry(again!, new Date(start + 50_000), true);
      expect(await lease("b", 49_999)).toEqual({ jobs: [], isPoisonedDue: false });
      expect((await lease("b", 50_000, alone)).jobs.map(facts)).toEqual([[id, 2, 0]]);
    });

    it("blame no death on a holder that lives: it keeps what it runs, and gets back what it does not", async () => {
      const [run, unseen] = [await ground.add(), await ground.add()];
      const { jobs } = await lease("a", 0, { limit: 1 });
      // The store committed this lease, and its answer was lost.
      await lease("a", 0);
      const later = await lease("a", leaseMs, { running: [run] });
      expect(later.jobs.map(facts)).toEqual([[unseen, 1, undefined]]);
      expect(await ground.sourceOf("a").renew(jobs[0]!, new Date(start + 3 * leaseMs))).toBe(true);
    });

    it("end no lease after an outage of the store, until living holders could renew", async () => {
      await ground.add();
      const { jobs } = await lease("a", 0);
      expect(await lease("b", 3 * leaseMs, { endsLeases: false })).toEqual({
        jobs: [],
        isPoisonedDue: false,
      });
      expect(await ground.sourceOf("a").renew(jobs[0]!, new Date(start + 5 * leaseMs))).toBe(true);
      expect(await lease("b", 3 * leaseMs)).toEqual({ jobs: [], isPoisonedDue: false });
    });

    it("count a death once, also if many holders find it at the same moment", async () => {
      const ids = await Promise.all([1, 2, 3].map(() => ground.add()));
      await lease("dead", 0);
      const seen = Array.from({ length: 6 }, (_, n) => lease(`holder ${n}`, leaseMs));
      for (const { jobs } of await Promise.all(seen)) expect(jobs).toEqual([]);
      const found: unknown[] = [];
      for (const [n] of ids.entries()) {
        const holder = `later ${n}`;
        const [job] = (await lease(holder, leaseMs, alone)).jobs;
        found.push(facts(job!));
        await ground.sourceOf(holder).finish(job!, ground.outcomeOf(job!));
      }
      expect(found).toEqual(expect.arrayContaining(ids.map((id) => [id, 1, 0])));
    });
  });
};
