import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { afterAll, describe, expect, it } from "vitest";
import { whitePng } from "#support/imaging/images";
import { makeImaging } from "./imaging.ts";
import { defaultImagingLimits } from "./limits.ts";

/** Threads for each processor: a decoder then gets about a thirteenth of one. */
const spinnersPerProcessor = 12;
const spinners: Worker[] = [];

const startSpinners = async (): Promise<void> => {
  const code = "require('node:worker_threads').parentPort.postMessage(0); for (;;);";
  const starts = Array.from(
    { length: spinnersPerProcessor * availableParallelism() },
    () =>
      new Promise((resolve, reject) => {
        const spinner = new Worker(code, { eval: true });
        spinner.once("message", resolve);
        spinner.once("error", reject);
        spinners.push(spinner);
      }),
  );
  await Promise.all(starts);
};

const endSpinners = async (): Promise<void> => {
  await Promise.all(spinners.splice(0).map((spinner) => spinner.terminate()));
};
afterAll(endSpinners);

// A machine with more processors would need hundreds of threads.
describe.runIf(process.platform === "linux" && availableParallelism() <= 8)("an overloaded machine", () => {
  it("is named as such, not as a damaged image, and the same image is decoded later", async () => {
    const { open } = makeImaging({ limits: { ...defaultImagingLimits, decodeSecondsMax: 1 } });
    // 50 megapixels cost a free processor half a second: alone they are decoded in time.
    const sound = whitePng(8_192, 6_144);
    await startSpinners();
    const starved = await open(sound).then(
      () => "opened",
      (error: unknown) => error,
    );
    await endSpinners();
    expect(starved).toMatchObject({ code: "engine_busy", facts: { retryAfterSeconds: 1 } });
    const { open: openLater } = makeImaging({ limits: defaultImagingLimits });
    expect(await openLater(sound, { longSideMax: 500 })).toMatchObject({ width: 500 });
  });
});
