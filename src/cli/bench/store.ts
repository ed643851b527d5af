import { commandSet } from "#app/store-commands";
import { openPostgresBench, openSqliteBench, type Sizes } from "#machine/storage/bench-database";
import {
  CommandError,
  opening,
  parseOptions,
  print,
  printTable,
  type Run,
  say,
  UsageError,
} from "../command.ts";
import { type Bench, fillMonth } from "./store-month.ts";
import { type Timed, timeReads, timeTidying, timeVerify } from "./store-times.ts";

export const runBenchStore: Run = async (args) => {
  const { values } = parseOptions(args, {
    days: { type: "string", default: "30" },
    calls: { type: "string", default: "10000" },
    postgres: { type: "string" },
    json: { type: "boolean", default: false },
  });
  if (!/^[1-9]\d{0,2}$/.test(values.days) || !/^[1-9]\d{2,6}$/.test(values.calls)) {
    throw new UsageError("Set --days to a whole number from 1 to 999, --calls from 100 to 9999999");
  }
  const bench = await opening(
    values.postgres === undefined
      ? openSqliteBench(commandSet)
      : openPostgresBench(commandSet, values.postgres),
  );
  try {
    const traffic = { days: Number(values.days), callsPerDay: Number(values.calls) };
    const figures = await measure(bench, traffic);
    report(figures, values.json);
    return 0;
  } finally {
    await bench.close();
  }
};

type Figures = {
  readonly calls: number;
  readonly fillMs: number;
  readonly sizes: Sizes;
  readonly reads: readonly Timed[];
  readonly verify: { readonly entries: number; readonly ms: number };
  readonly tidying: readonly Timed[];
};

const measure = async (
  bench: Bench,
  traffic: { readonly days: number; readonly callsPerDay: number },
): Promise<Figures> => {
  if ((await bench.transact((commands) => commands.listTenants())).length > 0) {
    throw new CommandError("The database holds a tenant already. Name an empty one.");
  }
  const calls = traffic.days * traffic.callsPerDay;
  say(`Filling the store with ${calls} calls …`);
  const begin = performance.now();
  const filled = await fillMonth(bench, traffic);
  const fillMs = performance.now() - begin;
  const sizes = await bench.sizes();
  say("Timing the lists …");
  const reads = await timeReads(bench, filled, traffic.days);
  const verify = await timeVerify(bench, filled);
  say("Removing one day …");
  const tidying = await timeTidying(bench, filled, traffic.days);
  return { calls, fillMs, sizes, reads, verify, tidying };
};

const megabytes = (size: number): string => (size / 1e6).toFixed(1);

const rowsOf = (timed: readonly Timed[]) =>
  timed.map(({ work, n, rows, minMs, p50Ms, p99Ms, maxMs }) => [
    work,
    String(n),
    String(rows),
    minMs.toFixed(2),
    p50Ms.toFixed(2),
    p99Ms.toFixed(2),
    maxMs.toFixed(1),
  ]);

const report = ({ calls, fillMs, sizes, reads, verify, tidying }: Figures, isJson: boolean): void => {
  if (isJson) {
    const tables = Object.fromEntries(sizes.tables);
    print(JSON.stringify({ calls, fillMs, sizes: { ...sizes, tables }, reads, verify, tidying }));
    return;
  }
  print(
    `${calls} calls in ${(fillMs / 1000).toFixed(0)} s: ${megabytes(sizes.total)} MB, ${(sizes.total / calls).toFixed(0)} bytes a call.`,
  );
  const tables = [...sizes.tables].filter(([, size]) => size > 100_000).toSorted(([, a], [, b]) => b - a);
  printTable([["table", "MB"], ...tables.map(([name, size]) => [name, megabytes(size)])]);
  print("");
  printTable([["read", "n", "rows", "min ms", "p50 ms", "p99 ms", "max ms"], ...rowsOf(reads)]);
  print(`\n${verify.entries} entries of evidence verified in ${(verify.ms / 1000).toFixed(1)} s.\n`);
  printTable([
    ["removal of", "commands", "rows", "min ms", "p50 ms", "p99 ms", "max ms"],
    ...rowsOf(tidying),
  ]);
};
