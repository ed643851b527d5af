/**
 * A thread that asks /healthz without a pause and keeps the time of each answer until it is asked for them.
 */
import { Agent, get } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";

const agent = new Agent({ keepAlive: true });
const url = `${String(workerData.url)}/healthz`;

const ask = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const started = performance.now();
    get(url, { agent }, (answer) => {
      answer.resume().once("end", () => resolve(performance.now() - started));
    }).once("error", reject);
  });

let times: number[] = [];
parentPort?.on("message", (id: number) => {
  parentPort?.postMessage({ id, times });
  times = [];
});

const pauseMs = 10;
for (;;) {
  times.push(await ask());
  await sleep(pauseMs);
}
