import { describe, expect, it } from "vitest";
import { readMetric, readUsage } from "./process-usage.ts";

const usedMs = (start: NodeJS.CpuUsage): number => {
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
};

describe("the measuring of a process", () => {
  it("sees its CPU time and memory", async () => {
    const before = await readUsage(process.pid);
    // Burnt by the process's own clock, not the wall's: on a busy machine the two differ.
    const start = process.cpuUsage();
    while (usedMs(start) < 300) {
      Math.hypot(before.cpuMs, 1);
    }
    const after = await readUsage(process.pid);
    // The kernel counts in ticks of 10 ms, so that some of it may not be seen yet.
    expect(after.cpuMs - before.cpuMs).toBeGreaterThan(200);
    expect(after.residentBytes).toBeGreaterThan(20 * 1024 ** 2);
  });

  it("reads labels and values of a metric and no other's", () => {
    const text = [
      "# HELP a b",
      'seconds{model="one"} 1.5',
      'seconds{model="two"} 2e-3',
      "seconds_more 9",
      "lag 0.25",
    ].join("\n");
    expect(readMetric(text, "seconds")).toEqual([
      { labels: { model: "one" }, value: 1.5 },
      { labels: { model: "two" }, value: 0.002 },
    ]);
    expect(readMetric(text, "lag")).toEqual([{ labels: {}, value: 0.25 }]);
  });
});
