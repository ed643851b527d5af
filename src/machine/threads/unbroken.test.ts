import { afterEach, describe, expect, it } from "vitest";
import { askToEnd, beginTask, makeEnding, runUnbroken } from "./unbroken.ts";

const settled = async (work: Promise<unknown>): Promise<boolean> => {
  const pause = new Promise((resolve) => setTimeout(resolve, 30, "paused"));
  return (await Promise.race([work.then(() => "settled"), pause])) === "settled";
};

afterEach(() => beginTask(makeEnding()));

describe("askToEnd", () => {
  it("waits until the task has begun: its thread may still start", async () => {
    const ending = makeEnding();
    const endable = askToEnd(ending, 60_000);
    expect(await settled(endable)).toBe(false);
    beginTask(ending);
    expect(await settled(endable)).toBe(true);
  });

  it("resolves at once while no unbroken run goes on", async () => {
    const ending = makeEnding();
    beginTask(ending);
    expect(await settled(askToEnd(ending, 60_000))).toBe(true);
  });

  it("waits until each of two runs has ended", async () => {
    const ending = makeEnding();
    beginTask(ending);
    const [first, second] = [Promise.withResolvers<number>(), Promise.withResolvers<number>()];
    const runs = [runUnbroken(() => first.promise), runUnbroken(() => second.promise)];
    const endable = askToEnd(ending, 60_000);
    first.resolve(1);
    expect(await settled(endable)).toBe(false);
    second.resolve(2);
    expect(await settled(endable)).toBe(true);
    expect(await Promise.all(runs)).toEqual([1, 2]);
  });

  it("waits for a run that fails, and no longer than it may", async () => {
    const ending = makeEnding();
    beginTask(ending);
    const failing = Promise.withResolvers<number>();
    const run = runUnbroken(() => failing.promise).catch(() => "failed");
    expect(await settled(askToEnd(ending, 0))).toBe(true);
    const endable = askToEnd(ending, 60_000);
    expect(await settled(endable)).toBe(false);
    failing.reject(new Error("no memory"));
    expect(await settled(endable)).toBe(true);
    expect(await run).toBe("failed");
  });

  it("lets no further run of the task begin, and the next task is free", async () => {
    const ending = makeEnding();
    beginTask(ending);
    await askToEnd(ending, 60_000);
    let begun = 0;
    const work = async (): Promise<number> => ++begun;
    expect(await settled(runUnbroken(work))).toBe(false);
    expect(begun).toBe(0);
    expect(await settled(askToEnd(ending, 60_000))).toBe(true);
    beginTask(makeEnding());
    expect(await runUnbroken(work)).toBe(1);
  });
});
