import { describe, expect, it } from "vitest";
import { quantile } from "./bench-load.ts";
import { readMetric, readUsage } from "./process-usage.ts";

describe("the measuring of a process", () => {
  it("sees its CPU time and memory", async () => {
    const before = await readUsage(process.pid);
    const until = performance.now() + 150;
    while (performance.now() < until) {
      Math.hypot(until, 1);
    }
    const after = await readUsage(process.pid);
    expect(after.cpuMs - before.cpuMs).toBeGreaterThan(30);
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

  it("takes quantiles by nearest rank", () => {
    const values = [5, 1, 4, 2, 3];
    expect([quantile(values, 0.5), quantile(values, 0.99), quantile([], 0.5)]).toEqual([3, 5, 0]);
  });
});
