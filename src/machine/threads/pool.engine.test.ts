import { MessageChannel } from "node:worker_threads";
import { afterEach, describe, expect, it } from "vitest";
import { Failure } from "#contract/failure";
import type { UnrulyTasks } from "#support/threads/unruly-worker";
import { makePool, type Pool, type PoolOptions } from "./pool.ts";

const pools: Pool<UnrulyTasks>[] = [];
const deaths: unknown[] = [];

const poolOf = (options: Partial<PoolOptions> = {}): Pool<UnrulyTasks> => {
  const pool = makePool<UnrulyTasks>({
    worker: new URL("../../../test/support/threads/unruly-worker.ts", import.meta.url),
    workers: 1,
    queueMax: 2,
    taskMsMax: 30_000,
    heapMbMax: 64,
    workerData: null,
    onDeath: (cause) => deaths.push(cause),
    ...options,
  });
  pools.push(pool);
  return pool;
};

const codeOf = async (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => "done",
    (error: unknown) => (error instanceof Failure ? error.code : String(error)),
  );

afterEach(async () => {
  await Promise.all(pools.splice(0).map((pool) => pool.close()));
  deaths.splice(0);
});

describe("makePool", () => {
  it("runs a task in a thread and returns its result", async () => {
    const pool = poolOf();
    await pool.ready;
    expect(await pool.run("double", { value: 21 })).toBe(42);
    expect(pool.readings()).toMatchObject({
      threads: 1,
      tasks: { double: { runs: 1 } },
      models: { iris: { runs: 2, ms: 3 } },
    });
  });

  it("passes a Failure from the thread with its code, its facts and the operator's cause", async () => {
    const failed = await poolOf()
      .run("fail", { limit: 9 })
      .catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(Failure);
    expect(failed).toMatchObject({
      code: "image_too_large",
      facts: { limit: 9 },
      cause: "Error: decoder said no",
    });
  });

  it("passes a programming error from the thread as an Error and keeps the thread", async () => {
    const pool = poolOf();
    await expect(pool.run("break", { value: 1 })).rejects.toThrow("a defect");
    expect(pool.readings().died).toBe(0);
  });

  it("refuses a task when the queue is full, with the time to try again", async () => {
    const pool = poolOf();
    await pool.ready;
    const accepted = [1, 2, 3].map(() => pool.run("sleep", { ms: 50 }));
    await expect(pool.run("sleep", { ms: 1 })).rejects.toMatchObject({
      code: "engine_busy",
      facts: { waiting: 2, retryAfterSeconds: 1 },
    });
    expect(await Promise.all(accepted)).toEqual([50, 50, 50]);
    expect(pool.readings()).toMatchObject({ refused: 1, waiting: 0, running: 0 });
  });

  it("lets a caller leave the queue and gives the place to the next caller", async () => {
    const pool = poolOf({ queueMax: 1 });
    await pool.ready;
    const first = pool.run("sleep", { ms: 100 });
    const leaving = new AbortController();
    const left = codeOf(pool.run("sleep", { ms: 1 }, { signal: leaving.signal }));
    leaving.abort(new Failure("shutting_down"));
    expect(await left).toBe("shutting_down");
    expect(await pool.run("double", { value: 1 })).toBe(2);
    expect(await first).toBe(100);
  });

  it("answers timed_out to a caller at its time limit while the task runs, and keeps the thread", async () => {
    const pool = poolOf();
    await pool.ready;
    expect(await codeOf(pool.run("sleep", { ms: 400 }, { signal: AbortSignal.timeout(20) }))).toBe(
      "timed_out",
    );
    expect(pool.readings()).toMatchObject({ running: 1, died: 0, timedOut: 0 });
    expect(await pool.run("double", { value: 3 })).toBe(6);
  });

  it("ends a thread that hangs and continues with a new one", async () => {
    const pool = poolOf({ taskMsMax: 300 });
    await pool.ready;
    expect(await codeOf(pool.run("hang", { value: 0 }))).toBe("timed_out");
    expect(pool.readings().timedOut).toBe(1);
    await expect.poll(() => codeOf(pool.run("double", { value: 4 })), { timeout: 20_000 }).toBe("done");
  });

  it("ends the thread of a task when its caller says so, with the caller's reason, and continues", async () => {
    const pool = poolOf();
    await pool.ready;
    const end = new AbortController();
    const ended = codeOf(pool.run("hang", { value: 0 }, { end: end.signal }));
    setTimeout(() => end.abort(new Failure("pdf_unreadable")), 50);
    expect(await ended).toBe("pdf_unreadable");
    expect(pool.readings()).toMatchObject({ timedOut: 1, died: 0 });
    expect(await pool.run("double", { value: 6 })).toBe(12);
  });

  it("hands a port over, through which the task asks its caller", async () => {
    const pool = poolOf();
    const { port1, port2 } = new MessageChannel();
    port1.on("message", (value: number) => port1.postMessage(value * 10));
    expect(await pool.run("ask", { port: port2, value: 4 }, { transfer: [port2] })).toBe(40);
    port1.close();
  });

  it.each(["die", "crash", "leak"] as const)("survives a thread that ends by itself: %s", async (task) => {
    const pool = poolOf();
    await pool.ready;
    expect(await codeOf(pool.run(task, { value: 0 }))).toBe("engine_failed");
    expect(await pool.run("double", { value: 5 })).toBe(10);
    expect(deaths).toHaveLength(1);
    expect(pool.readings()).toMatchObject({ died: 1, threads: 1 });
  });

  it("copies bytes unless they are transferred", async () => {
    const pool = poolOf();
    const bytes = new Uint8Array(100);
    expect(await pool.run("length", { bytes })).toBe(100);
    expect(bytes).toHaveLength(100);
    expect(await pool.run("length", { bytes }, { transfer: [bytes.buffer] })).toBe(100);
    expect(bytes).toHaveLength(0);
  });

  it("rejects ready with the reason when a thread cannot start", async () => {
    const pool = poolOf({ workerData: "broken" });
    await expect(pool.ready).rejects.toThrow("the ledger does not hold");
  });

  it("finishes running tasks and refuses waiting ones when it closes", async () => {
    const pool = poolOf();
    await pool.ready;
    const running = pool.run("sleep", { ms: 100 });
    const waiting = codeOf(pool.run("sleep", { ms: 1 }));
    const closed = pool.close();
    expect(await waiting).toBe("shutting_down");
    expect(await running).toBe(100);
    await closed;
    expect(await codeOf(pool.run("double", { value: 1 }))).toBe("shutting_down");
    expect(pool.readings().threads).toBe(0);
  });

  it("uses no processor time while no task runs", async () => {
    const pool = poolOf({ workers: 2 });
    await pool.ready;
    await pool.run("double", { value: 1 });
    const before = process.cpuUsage();
    await new Promise((resolve) => {
      setTimeout(resolve, 1000);
    });
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1_000_000).toBeLessThan(0.25);
  });
});
