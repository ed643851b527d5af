import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { startSchedule, type Task } from "./schedule.ts";

const everyMs = 3_600_000;
const after = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
let begin = 0;
let errors: unknown[] = [];

beforeEach(() => {
  vi.useFakeTimers();
  begin = Date.now();
  errors = [];
});
afterEach(() => {
  vi.useRealTimers();
});

const start = (...tasks: readonly Task[]) =>
  startSchedule({ tasks, everyMs, onError: (error) => errors.push(error) });

/** A task of this length that writes the times of its start and end. */
const lasting = (ms: number) => {
  const times: (readonly [start: number, end: number])[] = [];
  const task = async (): Promise<void> => {
    const startAt = Date.now() - begin;
    await after(ms);
    times.push([startAt, Date.now() - begin]);
  };
  return { task, times };
};

it("runs its tasks now and once in each interval, one at a time and in order", async () => {
  const [first, second] = [lasting(10), lasting(20)];
  const schedule = start(first.task, second.task);
  await vi.advanceTimersByTimeAsync(everyMs + 100);
  expect(first.times).toEqual([0, everyMs].map((at) => [at, at + 10]));
  expect(second.times).toEqual([0, everyMs].map((at) => [at + 10, at + 30]));
  await schedule.stop();
});

it("delays a round until the round before has ended", async () => {
  const { task, times } = lasting(1.5 * everyMs);
  const schedule = start(task);
  await vi.advanceTimersByTimeAsync(3 * everyMs);
  expect(times).toEqual([
    [0, 1.5 * everyMs],
    [1.5 * everyMs, 3 * everyMs],
  ]);
  const stopped = schedule.stop();
  await vi.advanceTimersByTimeAsync(2 * everyMs);
  await stopped;
});

it("reports an error, runs the other tasks and tries again in the next round", async () => {
  const outage = new Error("The bucket does not answer");
  let rounds = 0;
  const failing = () => (rounds++ === 0 ? Promise.reject(outage) : Promise.resolve());
  const { task, times } = lasting(0);
  const schedule = start(failing, task);
  await vi.advanceTimersByTimeAsync(everyMs + 1);
  expect([errors, rounds, times.length]).toEqual([[outage], 2, 2]);
  await schedule.stop();
});

it("stops when the running task has ended, and starts no other", async () => {
  const { task, times } = lasting(1_000);
  let isAborted = false;
  const aware: Task = async (signal) => {
    await task();
    isAborted = signal.aborted;
  };
  const schedule = start(aware, task);
  await vi.advanceTimersByTimeAsync(500);
  const stopped = schedule.stop();
  await vi.advanceTimersByTimeAsync(500);
  await stopped;
  expect([isAborted, times]).toEqual([true, [[0, 1_000]]]);
  await vi.advanceTimersByTimeAsync(2 * everyMs);
  expect(times).toHaveLength(1);
});
