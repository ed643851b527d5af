/**
 * Asks a service for /healthz without pause and measures, for each answer, how long the service's main thread
 * computed meanwhile. That time, unlike the time on the clock, does not grow when other processes hold the
 * processor.
 */
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";
import { makeExchange } from "./exchange.ts";
import { emptyWatched, type Watched } from "./watched.ts";

const { url, pid } = workerData;
const { exchange } = makeExchange(url);
const everyMs = 20;
const pageBytes = 4096;

/** Time on a processor of the main thread, in milliseconds (Linux, proc(5)). */
const mainThreadMs = (): number => {
  const [nanoseconds = "0"] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, "utf8").split(" ", 1);
  return Number(nanoseconds) / 1e6;
};

const residentMiB = (): number => {
  const [, pages = "0"] = readFileSync(`/proc/${pid}/statm`, "utf8").split(" ", 2);
  return (Number(pages) * pageBytes) / 2 ** 20;
};

let watched: Watched = emptyWatched;

const probe = async (): Promise<void> => {
  const before = mainThreadMs();
  const answer = await exchange({ method: "GET", path: "/healthz" });
  const busyMs = mainThreadMs() - before;
  watched = {
    probes: watched.probes + 1,
    failed: watched.failed + (answer.status === 200 ? 0 : 1),
    busyMsMax: Math.max(watched.busyMsMax, busyMs),
    waitMsMax: Math.max(watched.waitMsMax, answer.ms),
    residentMiBMax: Math.max(watched.residentMiBMax, residentMiB()),
  };
};

let asked: number[] = [];
parentPort?.on("message", (id: number) => asked.push(id));

for (;;) {
  // Asked before this probe begins: a block that has just begun is seen.
  const ids = asked;
  asked = [];
  // The process may be gone: its files in /proc are, too.
  await probe().catch(() => {
    watched = { ...watched, probes: watched.probes + 1, failed: watched.failed + 1 };
  });
  if (ids.length > 0) {
    parentPort?.postMessage({ ids, watched });
    watched = emptyWatched;
  }
  await sleep(everyMs);
}
