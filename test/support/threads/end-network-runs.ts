/** Ends two threads: one while a network runs, one that still starts. Prints what became of each task. */
import { Failure } from "#contract/failure";
import { refuseTelemetry } from "#machine/networks/telemetry";
import { makePool } from "#machine/threads/pool";
import type { NetworkTasks } from "./network-worker.ts";

refuseTelemetry();
const pool = makePool<NetworkTasks>({
  worker: new URL("./network-worker.ts", import.meta.url),
  workers: 1,
  queueMax: 1,
  taskMsMax: 60_000,
  heapMbMax: 256,
  workerData: null,
  onDeath: () => undefined,
});
await pool.ready;
const print = (text: string): boolean => process.stdout.write(`${text}\n`);
const endAfter = async (ms: number): Promise<void> => {
  const end = new AbortController();
  setTimeout(() => end.abort(new Failure("timed_out")), ms);
  const ended = await pool.run("runForever", null, { end: end.signal }).catch((error: unknown) => error);
  print(ended instanceof Failure ? ended.code : String(ended));
};
await endAfter(500);
// The thread that replaces the first one still starts, and runs its network for that.
await endAfter(50);
print(String(await pool.run("runOnce", null)));
await pool.close();
