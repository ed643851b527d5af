import { quantile } from "#contract/statistics/quantile";
import { CommandError } from "../command.ts";
import type { Client } from "../kit/service/client.ts";
import type { ServiceProcess } from "../kit/service/service-process.ts";
import { readMetric, readUsage } from "./process-usage.ts";

/** One kind of work. `prepare` makes the input of each call before the clock runs: tokens are used once. */
export type Work = {
  readonly name: string;
  /** Bare image decodes that one call needs, in milliseconds. */
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
  /** Time of the model runs of one call, measured by the inference threads in this run. */
  readonly modelMsPerCall: number;
  readonly decodeMsPerCall: number;
  /** p50 divided by the time of decodes and model runs. */
  readonly ratio: number;
  /**
   * Processor time of a call divided by that of its decodes and model runs. Each of those has one thread, so
   * its processor time is its time where it is alone.
   */
  readonly cpuRatio: number;
  readonly eventLoopStallMsMax: number;
  /** 99.9th percentile of the event loop's delays. */
  readonly eventLoopDelayP999Ms: number;
  readonly residentMiB: number;
};

type Load = {
  readonly callers: number;
  readonly count: number;
  /**
   * Time of the model runs of one call where no other call takes a processor. By default that of this load,
   * whose caller is alone.
   */
  readonly aloneModelMs?: number;
};

/** Runs `count` calls from concurrent `callers` and measures the service as a client. */
export const measureLoad = async (
  service: ServiceProcess,
  client: Client,
  work: Work,
  load: Load,
): Promise<Figures> => {
  const calls = await work.prepare(load.count);
  const before = await observe(service, client);
  const started = performance.now();
  const times = await runAll(calls, load.callers);
  const seconds = (performance.now() - started) / 1000;
  const after = await observe(service, client);
  const modelMs = (after.modelMs - before.modelMs) / calls.length;
  const { aloneModelMs = modelMs } = load;
  const cpuMs = (after.cpuMs - before.cpuMs) / calls.length;
  const p50Ms = quantile(times, 0.5) ?? Number.NaN;
  return {
    work: work.name,
    callers: load.callers,
    calls: calls.length,
    p50Ms,
    p95Ms: quantile(times, 0.95) ?? Number.NaN,
    p99Ms: quantile(times, 0.99) ?? Number.NaN,
    perSecond: calls.length / seconds,
    cpuMsPerCall: cpuMs,
    modelMsPerCall: modelMs,
    decodeMsPerCall: work.decodeMs,
    ratio: p50Ms / (modelMs + work.decodeMs),
    cpuRatio: cpuMs / (aloneModelMs + work.decodeMs),
    eventLoopStallMsMax: after.stallMs,
    eventLoopDelayP999Ms: after.rareDelayMs,
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

/**
 * The greatest event-loop lag and its percentile count from the previous scrape and include the sampler's 5
 * ms.
 */
const observe = async (service: ServiceProcess, client: Client) => {
  const { status, body } = await client.get("/metrics");
  if (status !== 200 || typeof body !== "string") {
    throw new CommandError(`/metrics answered ${status}`);
  }
  const modelSeconds = readMetric(body, "idem_model_seconds").reduce((sum, { value }) => sum + value, 0);
  const msOf = (name: string): number => (readMetric(body, name)[0]?.value ?? 0) * 1000;
  return {
    ...(await readUsage(service.pid)),
    modelMs: modelSeconds * 1000,
    stallMs: msOf("nodejs_eventloop_lag_max_seconds"),
    rareDelayMs: msOf("idem_eventloop_lag_p999_seconds"),
  };
};
