import { quantile } from "#contract/statistics/quantile";

export type Times = { readonly callers: number; readonly p50Ms: number; readonly p95Ms: number };

/**
 * Runs `search` once for each probe with a fixed number of callers; each caller sends its next probe after
 * its answer.
 */
export const timeCallers = async <Probe>(
  probes: readonly Probe[],
  callers: number,
  search: (probe: Probe) => Promise<void>,
): Promise<Times> => {
  const waiting = [...probes];
  const times: number[] = [];
  const call = async (): Promise<void> => {
    for (let probe = waiting.shift(); probe !== undefined; probe = waiting.shift()) {
      const begin = performance.now();
      await search(probe);
      times.push(performance.now() - begin);
    }
  };
  await Promise.all(Array.from({ length: callers }, call));
  return {
    callers,
    p50Ms: quantile(times, 0.5) ?? Number.NaN,
    p95Ms: quantile(times, 0.95) ?? Number.NaN,
  };
};

export const residentMiB = (): number => process.memoryUsage.rss() / 2 ** 20;
