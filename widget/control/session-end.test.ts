import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { warnMs, watchEnd } from "./session-end.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const minute = 60_000;

const watch = (endsInMs: number, isDone = (): boolean => false) => {
  const seen: (readonly [what: string, atMs: number])[] = [];
  const startedAt = Date.now();
  const end = new AbortController();
  const note = (what: string): void => void seen.push([what, Date.now() - startedAt]);
  const leftMs = (): number | undefined => (isDone() ? undefined : startedAt + endsInMs - Date.now());
  const over = async (): Promise<void> => note("over");
  void watchEnd({ leftMs, warn: () => note("warn"), over }, end.signal);
  return { seen, stop: () => end.abort() };
};

describe("the end of a session", () => {
  it("is announced a minute before, once, and reported when it is there", async () => {
    const { seen } = watch(30 * minute);
    await vi.advanceTimersByTimeAsync(29 * minute - 1);
    expect(seen).toEqual([]);
    await vi.advanceTimersByTimeAsync(2 * minute);
    expect(seen).toEqual([
      ["warn", 30 * minute - warnMs],
      ["over", 30 * minute],
    ]);
  });

  it("is announced at once to a page that opens in the last minute", async () => {
    const { seen } = watch(5_000);
    await vi.advanceTimersByTimeAsync(0);
    expect(seen).toEqual([["warn", 0]]);
  });

  it("means nothing after the capture is done, or to an element that is gone", async () => {
    let isDone = false;
    const done = watch(2 * minute, () => isDone);
    const gone = watch(2 * minute);
    isDone = true;
    gone.stop();
    await vi.advanceTimersByTimeAsync(5 * minute);
    expect([...done.seen, ...gone.seen]).toEqual([]);
  });
});
