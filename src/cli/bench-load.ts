import { quantile } from "#statistics/quantile";
import type { Client } from "./client.ts";
import { CommandError } from "./command.ts";
import { readMetric, readUsage } from "./process-usage.ts";
import type { ServiceProcess } from "./service-process.ts";

/** One kind of work. `prepare` makes what each call needs (tokens are used once) before the clock runs. */
export type Work = {
  readonly name: string;
  /** Bare picture decodes that one call needs, in milliseconds. */
  readonly decodeMs: number;
  readonly prepare: (count: number) => Promise<readonly (() => Promise<void>)[]>;
};

export type Figures = {
  readonly work: string;
  readonly callers: number;
  readonly calls: number;
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly p99Ms: number;
  readonly perSecond: number;
  readonly cpuMsPerCall: number;
  /** Model runs of one call, as the inference threads timed them in this run. */
  readonly modelMsPerCall: number;
  readonly decodeMsPerCall: number;
  /** p50 over decodes and model runs. */
  readonly ratio: number;
  readonly eventLoopStallMsMax: number;
  readonly residentMiB: number;
};

/** Runs `count` calls by `callers` at once and measures the service from outside. */
export const measureLoad = async (
  service: ServiceProcess,
  client: Client,
  work: Work,
  load: { readonly callers: number; readonly count: number },
): Promise<Figures> => {
  const calls = await work.prepare(load.count);
  const before = await observe(service, client);
  const started = performance.now();
  const times = await runAll(calls, load.callers);
  const seconds = (performance.now() - started) / 1000;
  const after = await observe(service, client);
  const modelMs = (after.modelMs - before.modelMs) / calls.length;
  const p50Ms = quantile(times, 0.5) ?? Number.NaN;
  return {
    work: work.name,
    callers: load.callers,
    calls: calls.length,
    p50Ms,
    p95Ms: quantile(times, 0.95) ?? Number.NaN,
    p99Ms: quantile(times, 0.99) ?? Number.NaN,
    perSecond: calls.length / seconds,
    cpuMsPerCall: (after.cpuMs - before.cpuMs) / calls.length,
    modelMsPerCall: modelMs,
    decodeMsPerCall: work.decodeMs,
    ratio: p50Ms / (modelMs + work.decodeMs),
    eventLoopStallMsMax: after.stallMs,
    residentMiB: after.residentBytes / 1024 ** 2,
  };
};

const runAll = async (
  calls: readonly (() => Promise<void>)[],
  callers: number,
): Promise<readonly number[]> => {
  const waiting = [...calls];
  const times: number[] = [];
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const started = performance.now();
      await next();
      times.push(performance.now() - started);
    }
  };
  await Promise.all(Array.from({ length: callers }, work));
  return times;
};

/** The event loop's greatest lag counts from the scrape before, and counts the sampler's 5 ms in. */
const observe = async (service: ServiceProcess, client: Client) => {
  const { status, body } = await client.get("/metrics");
  if (status !== 200 || typeof body !== "string") {
    throw new CommandError(`/metrics answered ${status}`);
  }
  const modelSeconds = readMetric(body, "idem_model_seconds").reduce((sum, { value }) => sum + value, 0);
  const lag = readMetric(body, "nodejs_eventloop_lag_max_seconds")[0]?.value ?? 0;
  return { ...(await readUsage(service.pid)), modelMs: modelSeconds * 1000, stallMs: lag * 1000 };
};
