import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { openStore } from "#app/storage";
import { openWebhookBench, type WebhookBench } from "#app/webhook-bench";
import { quantile } from "#contract/statistics/quantile";
import { readConfig } from "#machine/config/config";
import { opening, parseOptions, print, printTable, type Run, say, UsageError } from "../command.ts";
import { type Receiver, startReceiver } from "./start-receiver.ts";
import type { Arrival } from "./webhook-receiver.ts";

export const runBenchWebhooks: Run = async (args) => {
  const { values } = parseOptions(args, {
    deliveries: { type: "string", default: "20000" },
    seconds: { type: "string", default: "20" },
    postgres: { type: "string" },
    json: { type: "boolean", default: false },
  });
  if (!/^[1-9]\d{2,6}$/.test(values.deliveries) || !/^[1-9]\d{0,2}$/.test(values.seconds)) {
    throw new UsageError("Set --deliveries to a whole number from 100 to 9999999, --seconds from 1 to 999");
  }
  const size = { deliveries: Number(values.deliveries), seconds: Number(values.seconds) };
  const sqlite = await measureStore("SQLite", size);
  const postgres =
    values.postgres === undefined ? undefined : await measureStore("PostgreSQL", size, values.postgres);
  report({ sqlite, ...(postgres && { postgres }) }, values.json);
  return 0;
};

type Size = { readonly deliveries: number; readonly seconds: number };

type Figures = {
  readonly deliveriesPerSecond: number;
  readonly firstAttemptP99Ms: number;
  readonly lost: number;
  readonly duplicates: number;
  /** Throughput of the other destinations while one never answers, over that without it. */
  readonly besideHungRatio: number;
};

const destinations = 50;
const eventsPerSecond = 200;
/** Tenants with one destination each, for the measurement of the first attempt. */
const tenants = 10;

const measureStore = async (name: string, size: Size, databaseUrl?: string): Promise<Figures> => {
  const folder = await mkdtemp(join(tmpdir(), "idem-bench-"));
  const receiver = await startReceiver();
  try {
    const open = await prepare(folder, databaseUrl);
    say(`${name}: ${size.deliveries} deliveries to ${destinations} destinations …`);
    const calm = await measureThroughput(open, receiver, size, null);
    say(`${name}: the same, and one destination never answers …`);
    const beside = await measureThroughput(open, receiver, size, pathOf(0));
    say(`${name}: ${eventsPerSecond} events a second for ${size.seconds} s …`);
    const first = await measureFirstAttempts(open, receiver, size.seconds);
    return {
      deliveriesPerSecond: Math.round(calm.perSecond),
      firstAttemptP99Ms: Math.round(first.p99Ms),
      lost: calm.lost + first.lost,
      duplicates: calm.duplicates + first.duplicates,
      besideHungRatio: Math.round((beside.perSecond / calm.perSecond) * 100) / 100,
    };
  } finally {
    receiver.stop();
    await rm(folder, { recursive: true });
  }
};

type Open = () => Promise<WebhookBench>;

/** The settings of a service of its own, and its migrated store. */
const prepare = async (folder: string, databaseUrl: string | undefined): Promise<Open> => {
  const masterKey = randomBytes(32);
  const config = readConfig({
    IDEM_DATA: folder,
    IDEM_EGRESS_ALLOW: "127.0.0.1",
    ...(databaseUrl !== undefined && { IDEM_DATABASE_URL: databaseUrl }),
  });
  const { close } = await opening(openStore(config, { migrate: true }));
  await close();
  return () =>
    opening(openWebhookBench({ ...config, masterKey }, (_, note, error) => say(`${note}: ${String(error)}`)));
};

const pathOf = (n: number): string => `/receiver/${n}`;

const throughputSettleMs = 500;

/** Commits a backlog, then delivers it. The first and the last arrival bound the time. */
const measureThroughput = async (
  open: Open,
  receiver: Receiver,
  { deliveries }: Size,
  hung: string | null,
) => {
  const events = Math.ceil(deliveries / destinations);
  receiver.hang(hung);
  const bench = await open();
  const paths = Array.from({ length: destinations }, (_, n) => pathOf(n));
  const tenantId = await bench.addTenant(paths.map(receiver.url));
  for (let n = 0; n < events; n += 1) await bench.recordEvent(tenantId);
  bench.start();
  const answering = hung === null ? destinations : destinations - 1;
  const arrivals = await collect(receiver, events * answering);
  await stopAndClose(bench);
  receiver.hang(null);
  const times = arrivals.map(({ at }) => at).sort((a, b) => a - b);
  const seconds = ((times.at(-1) ?? 0) - (times[0] ?? 0)) / 1000;
  const perSecond = (times.length - 1) / seconds;
  say(`${Math.round(perSecond)} deliveries a second, the last ${seconds.toFixed(1)} s after the first`);
  return { perSecond, ...countFaults(arrivals, events * answering) };
};

/** Ends at the wanted number, or after a silence: then the rest is lost. */
const collect = async (receiver: Receiver, wanted: number): Promise<readonly Arrival[]> => {
  const arrivals: Arrival[] = [];
  const silenceMsMax = 60_000;
  for (let silentMs = 0; arrivals.length < wanted && silentMs < silenceMsMax; ) {
    await sleep(throughputSettleMs);
    const more = await receiver.report();
    silentMs = more.length > 0 ? 0 : silentMs + throughputSettleMs;
    arrivals.push(...more);
  }
  // A repetition comes after its first arrival.
  await sleep(throughputSettleMs);
  return [...arrivals, ...(await receiver.report())];
};

const countFaults = (arrivals: readonly Arrival[], wanted: number) => {
  const distinct = new Set(arrivals.map(({ source, path }) => `${source} ${path}`)).size;
  return { lost: wanted - distinct, duplicates: arrivals.length - distinct };
};

const stopAndClose = async (bench: WebhookBench): Promise<void> => {
  await bench.stop();
  await bench.close();
};

/** An open load: events are committed at their times, however long earlier ones take. */
const measureFirstAttempts = async (open: Open, receiver: Receiver, seconds: number) => {
  const bench = await open();
  const ids = [];
  for (let n = 0; n < tenants; n += 1) ids.push(await bench.addTenant([receiver.url(pathOf(n))]));
  bench.start();
  const committedAt = new Map<string, number>();
  const running: Promise<void>[] = [];
  const commit = async (tenantId: string): Promise<void> => {
    const operationId = await bench.recordEvent(tenantId);
    committedAt.set(`/operations/${operationId}`, performance.timeOrigin + performance.now());
  };
  const wanted = eventsPerSecond * seconds;
  const begin = performance.now();
  for (let n = 0; n < wanted; n += 1) {
    const waitMs = begin + (n * 1000) / eventsPerSecond - performance.now();
    if (waitMs > 0) await sleep(waitMs);
    running.push(commit(ids[n % tenants]!));
  }
  await Promise.all(running);
  const all = await collect(receiver, wanted);
  await stopAndClose(bench);
  // A destination of an earlier run that never answered can receive its events now.
  const arrivals = all.filter(({ source }) => committedAt.has(source));
  const firsts = new Map<string, number>();
  for (const { source, at } of arrivals) firsts.set(source, Math.min(at, firsts.get(source) ?? at));
  const delays = [...firsts].map(([source, at]) => at - (committedAt.get(source) ?? at));
  return { p99Ms: quantile(delays, 0.99) ?? Number.NaN, ...countFaults(arrivals, wanted) };
};

type Measured = { readonly sqlite: Figures; readonly postgres?: Figures };

const report = (measured: Measured, isJson: boolean): void => {
  if (isJson) {
    print(JSON.stringify(measured));
    return;
  }
  const rows = Object.entries(measured).map(([store, one]) => [
    store,
    String(one.deliveriesPerSecond),
    String(one.firstAttemptP99Ms),
    String(one.besideHungRatio),
    String(one.lost),
    String(one.duplicates),
  ]);
  printTable([
    ["store", "deliveries/s", "first attempt p99 ms", "beside a hung one", "lost", "duplicates"],
    ...rows,
  ]);
};
