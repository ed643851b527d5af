import { describe, expect, it } from "vitest";
import { readMetric, readUsage } from "./process-usage.ts";

const usedMs = (start: NodeJS.CpuUsage): number => {
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
};

describe("process usage", () => {
  it("reports CPU time and memory", async () => {
    const before = await readUsage(process.pid);
    // Measured by the CPU clock of the process: on a busy machine it differs from wall time.
    const start = process.cpuUsage();
    while (usedMs(start) < 300) {
      Math.hypot(before.cpuMs, 1);
    }
    const after = await readUsage(process.pid);
    // The kernel counts in ticks of 10 ms, so the last part may be missing.
    expect(after.cpuMs - before.cpuMs).toBeGreaterThan(200);
    expect(after.residentBytes).toBeGreaterThan(20 * 1024 ** 2);
  });

  it("reads labels and values of one metric only", () => {
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
