import { describe, expect, it } from "vitest";
import { currentThread, readThreadMs } from "./thread-time.ts";

describe.runIf(process.platform === "linux")("the processor time of a thread", () => {
  it("grows while the thread computes", async () => {
    const thread = currentThread() ?? "";
    const before = readThreadMs(thread) ?? Number.NaN;
    await expect
      .poll(
        () => {
          for (let at = 0, sum = 0; at < 20_000_000; at++) sum += at;
          return (readThreadMs(thread) ?? 0) - before;
        },
        { timeout: 20_000, interval: 1 },
      )
      .toBeGreaterThanOrEqual(50);
  });

  it("is unknown for a thread that does not exist", () => {
    expect(readThreadMs("0")).toBeUndefined();
  });
});
