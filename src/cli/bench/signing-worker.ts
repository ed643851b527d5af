/**
 * A process of `idem bench signing`: runs one case, and sends its figures. Memory of other cases is not in
 * it.
 */
import { readFile } from "node:fs/promises";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { openSigningBench, type SigningBench } from "#app/signing-bench";
import { makeSamplePdf } from "./sample-pdf.ts";
import type { SigningFigures, SigningOrder } from "./signing-cases.ts";

const warmUps = 3;

const measureTimes = async (bench: SigningBench, { path, level, runs }: SigningOrder) => {
  const document = Uint8Array.from(await readFile(path));
  const ownMs: number[] = [];
  let addedBytes = 0;
  const steps: Record<string, number[]> = {};
  for (let run = -warmUps; run < runs; run++) {
    const start = performance.now();
    const { parts, timings } = await bench.sign(document, level);
    const own = performance.now() - start;
    addedBytes = parts.reduce((sum, { length }) => sum + length, 0) - document.length;
    if (run < 0) continue;
    ownMs.push(own);
    for (const [step, ms] of Object.entries(timings)) (steps[step] ??= []).push(ms);
  }
  return { ownMs, addedBytes, steps };
};

const residentMiB = (): number => process.memoryUsage().rss / 1024 ** 2;

const residentMiBMax = (): number => process.resourceUsage().maxRSS / 1024;

/** Signs as the service does: in a thread, while the event loop of the main thread is watched. */
const measureThread = async (bench: SigningBench, { path, level, runs }: SigningOrder) => {
  const threads = await bench.openThreads();
  const small = makeSamplePdf(50_000);
  for (let run = 0; run < warmUps; run++) await threads.sign(Uint8Array.from(small), level);
  await sleep(200);
  const idle = residentMiB();
  const delays = monitorEventLoopDelay({ resolution: 1 });
  delays.enable();
  await threads.sign(await readFile(path), level);
  const peakMiB = residentMiBMax();
  for (let run = 1; run < runs; run++) await threads.sign(await readFile(path), level);
  delays.disable();
  await threads.close();
  return { idleMiB: idle, peakMiB, eventLoopP999Ms: delays.percentile(99.9) / 1e6 };
};

process.once("message", (given: SigningOrder) => {
  void (async () => {
    const bench = await openSigningBench(given.key);
    const figures: SigningFigures =
      given.kind === "times" ? await measureTimes(bench, given) : await measureThread(bench, given);
    process.send?.(figures);
    process.disconnect();
  })();
});
