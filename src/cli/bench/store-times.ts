import { quantile } from "#contract/statistics/quantile";
import { chainStart } from "#record/transactions/evidence";
import { makeChainVerifier } from "#record/transactions/verify-chain";
import { type Bench, dayMs, type Filled, type StoreCommands } from "./store-month.ts";

/** Times of one kind of work, in milliseconds. */
export type Timed = {
  readonly work: string;
  readonly n: number;
  readonly rows: number;
  readonly minMs: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
};

const runs = 100;
const reviewPage = { environment: "live" } as const;

/** A place within 0 and 1 for each run, spread evenly. */
const placeOf = (run: number): number => (run * 0.61803) % 1;

const pick = (ids: readonly string[], run: number): string =>
  ids[Math.floor(placeOf(run) * ids.length)] ?? "";

type Work = (commands: StoreCommands, run: number) => Promise<number>;

/** The reads of calls and operators, each with the number of rows that it returns. */
const readsOf = ({ tenantId, end, transactionIds, validationIds, hashes }: Filled, days: number) => {
  const since = (run: number): Date => new Date(end - placeOf(run) * days * dayMs);
  const reads: Readonly<Record<string, Work>> = {
    "one transaction": async (commands, run) =>
      (await commands.findTransaction(tenantId, pick(transactionIds, run))) === undefined ? 0 : 1,
    "a page of transactions (500)": async (commands, run) =>
      (await commands.listTransactions(tenantId, since(run))).length,
    "one validation": async (commands, run) =>
      (await commands.findValidation(tenantId, pick(validationIds, run))) === undefined ? 0 : 1,
    "a page of reviews (25)": async (commands) =>
      (await commands.listReviews({ ...reviewPage, tenantId })).reviews.length,
    "a page of evidence (1000)": async (commands, run) =>
      (await commands.listLinks(tenantId, Math.floor(placeOf(run) * validationIds.length))).length,
    "heads of all chains": async (commands) => (await commands.listChainHeads()).length,
    "velocity of a document that came often": async (commands) =>
      await commands.countVelocityEvents(tenantId, hashes[0]!, new Date(end - days * dayMs)),
    "velocity of a document that came once": async (commands) =>
      await commands.countVelocityEvents(tenantId, hashes[1]!, new Date(end - days * dayMs)),
  };
  return reads;
};

const summarise = (work: string, times: readonly number[], rows: number): Timed => ({
  work,
  n: times.length,
  rows,
  minMs: quantile(times, 0) ?? 0,
  p50Ms: quantile(times, 0.5) ?? 0,
  p99Ms: quantile(times, 0.99) ?? 0,
  maxMs: Math.max(0, ...times),
});

/**
 * Times each read a hundred times, at other places of the month, without the time of the transaction around
 * it.
 */
export const timeReads = async (bench: Bench, filled: Filled, days: number): Promise<readonly Timed[]> => {
  const timed: Timed[] = [];
  for (const [name, work] of Object.entries(readsOf(filled, days))) {
    const times: number[] = [];
    let rows = 0;
    for (let run = 0; run < runs; run++) {
      await bench.transact(async (commands) => {
        const begin = performance.now();
        rows += await work(commands, run);
        times.push(performance.now() - begin);
      });
    }
    timed.push(summarise(name, times, Math.round(rows / runs)));
  }
  return timed;
};

/** Verifies the whole chain; returns its entries and the time. Throws Error for a chain that is not whole. */
export const timeVerify = async (
  bench: Bench,
  { tenantId }: Filled,
): Promise<{ readonly entries: number; readonly ms: number }> => {
  const begin = performance.now();
  const verifier = makeChainVerifier([], { seq: 0, hash: chainStart });
  for (let after = 0; ; ) {
    const page = await bench.transact((commands) => commands.listLinks(tenantId, after));
    page.forEach(verifier.take);
    const last = page.at(-1);
    if (last === undefined) break;
    after = last.seq;
  }
  const { entries, faultCount } = verifier.end();
  if (faultCount > 0) throw new Error("The chain that was just written is not whole");
  return { entries, ms: performance.now() - begin };
};

/**
 * Removes the oldest day, command by command, as the tidying does; each command is a transaction of its own.
 */
export const timeTidying = async (bench: Bench, filled: Filled, days: number): Promise<readonly Timed[]> => {
  const { tenantId, end } = filled;
  const before = new Date(end - (days - 1) * dayMs);
  const purges: Readonly<Record<string, (commands: StoreCommands) => Promise<number>>> = {
    "transactions of a day": (commands) => commands.purgeTransactions(tenantId, before),
    "velocity events of a day": (commands) => commands.purgeVelocityEvents(before),
    "images' rows of a day": (commands) => commands.forgetBlobs(before),
    "validations of a day": (commands) => commands.purgeValidations(tenantId, before),
    "bodies of evidence of a day": (commands) =>
      commands.removeBodies(tenantId, before, { id: crypto.randomUUID(), at: new Date() }),
  };
  const timed: Timed[] = [];
  for (const [name, purge] of Object.entries(purges)) {
    const times: number[] = [];
    let rows = 0;
    for (;;) {
      const begin = performance.now();
      const removed = await bench.transact(purge);
      times.push(performance.now() - begin);
      rows += removed;
      if (removed === 0) break;
    }
    timed.push(summarise(name, times, rows));
  }
  return timed;
};
