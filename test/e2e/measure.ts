/**
 * Measures the capture elements in Chromium, with a drawn still head before the camera:
 * `node test/e2e/measure.ts`. It prints milliseconds for each measured frame, frames a second, and the times
 * from the open camera to the first instruction; without and with the throttling of the DevTools protocol,
 * and the load of the machine. That throttling slows no worker, so the times are printed for a page without
 * workers too.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import chromium from "@sparticuz/chromium";
import { type BrowserContext, type Page, chromium as playwright } from "playwright-core";
import { quantile } from "#contract/statistics/quantile";
import { writePageDetector } from "#machine/networks/conversion/page-detector";
import { ledger } from "#machine/networks/ledger";
import { readModelFiles } from "#machine/networks/model-files";
import { browserOptions } from "../harness/browser-options.ts";
import { headCamera } from "./head-videos.ts";
import { openPageService, type PageService } from "./page-service.ts";

const print = (line: string): void => void process.stdout.write(`${line}\n`);

const frames = 50;
const liveMs = 10_000;
const openings = 7;
const rates = [1, 4] as const;

/** Counts what the worker answers and when, and when the camera opened. */
const watch = `
window.looks = []; window.marks = {};
const post = Worker.prototype.postMessage;
Worker.prototype.postMessage = function (message, ...rest) {
  if (message.kind === "look") {
    const begun = performance.now();
    this.addEventListener("message", () => window.looks.push([performance.now(), performance.now() - begun]), { once: true });
  }
  return post.call(this, message, ...rest);
};
document.addEventListener("idem-permission", () => { window.marks.open ??= performance.now(); });
document.addEventListener("idem-guidance", () => { window.marks.guided ??= performance.now(); });`;

/** The measuring function in the page's own thread, on noise of a frame's size. */
const timeLooks = (kind: string) => `(async () => {
  const { loadLook } = await import("/widget/worker.js");
  const look = await loadLook("/widget/face-detector.bin");
  const rgba = Uint8ClampedArray.from({ length: 192 * 256 * 4 }, (_, i) => (i * 2654435761) >>> 24);
  const request = { kind: "${kind}", shape: "card", frame: { width: 192, height: 256, rgba } };
  for (let i = 0; i < 20; i++) look(request);
  const times = [];
  for (let i = 0; i < ${frames}; i++) { const begun = performance.now(); look(request); times.push(performance.now() - begun); }
  return times;
})()`;

const summary = (times: readonly number[]): string =>
  `least ${Math.min(...times).toFixed(1)}, p50 ${quantile(times, 0.5)?.toFixed(1)}, p95 ${quantile(times, 0.95)?.toFixed(1)} ms, n ${times.length}`;

const withoutWorkers = "window.Worker = class { constructor() { throw new Error('No worker'); } };";

type Kind = { readonly rate: number; readonly hasWorkers: boolean };

const openPage = async (
  context: BrowserContext,
  service: PageService,
  { rate, hasWorkers }: Kind,
): Promise<Page> => {
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  await devtools.send("Emulation.setCPUThrottlingRate", { rate });
  await page.addInitScript(hasWorkers ? watch : `${watch}${withoutWorkers}`);
  await page.goto(
    service.urlOf(
      '<idem-face session="session-token" manual-after-ms="3600000" auto-capture="off"></idem-face>',
    ),
  );
  return page;
};

/** Milliseconds from the open camera to the first instruction. */
const openCamera = async (page: Page): Promise<number> => {
  await page.getByRole("button", { name: "I agree, continue" }).click();
  await page.getByRole("button", { name: "Open the camera" }).click();
  await page.waitForFunction("window.marks.guided !== undefined", undefined, { timeout: 60_000 });
  return await page.evaluate("window.marks.guided - window.marks.open");
};

const measureRate = async (page: Page): Promise<string> => {
  await openCamera(page);
  await page.waitForTimeout(liveMs);
  const looks: readonly (readonly [number, number])[] = await page.evaluate("window.looks");
  const spanMs = looks.at(-1)![0] - looks[0]![0];
  const perSecond = ((looks.length - 1) / spanMs) * 1_000;
  return `frames a second ${perSecond.toFixed(1)} (${looks.length} frames; worker ${summary(looks.map(([, ms]) => ms))})`;
};

const detector = writePageDetector(await readModelFiles(ledger.blazeface));
const folder = await mkdtemp(join(tmpdir(), "idem-measure-"));
const browser = await playwright.launch(
  browserOptions(
    await chromium.executablePath(),
    folder,
    await headCamera({ kind: "head", isStill: true })(folder),
  ),
);

/** Opens a page of a session of its own, and closes it. */
const withPage = async <Value>(kind: Kind, measure: (page: Page) => Promise<Value>): Promise<Value> => {
  const service = await openPageService({}, detector);
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, bypassCSP: true });
  try {
    return await measure(await openPage(context, service, kind));
  } finally {
    await context.close();
    service.close();
  }
};

const measureFirst = async (kind: Kind): Promise<string> => {
  const times: number[] = [];
  for (let n = 0; n < openings; n++) times.push(await withPage(kind, openCamera));
  return `${summary(times)}, most ${Math.max(...times).toFixed(0)} ms`;
};

try {
  for (const rate of rates) {
    const usual = { rate, hasWorkers: true };
    for (const kind of ["face", "document"]) {
      const times = await withPage(
        usual,
        (page): Promise<readonly number[]> => page.evaluate(timeLooks(kind)),
      );
      print(`throttled ${rate}x, ${kind}, 192 x 256: ${summary(times)}`);
    }
    print(`throttled ${rate}x, live: ${await withPage(usual, measureRate)}`);
    print(`throttled ${rate}x, first instruction: ${await measureFirst(usual)}`);
    const without = await measureFirst({ rate, hasWorkers: false });
    print(`throttled ${rate}x, first instruction without workers: ${without}`);
    print(`load ${loadavg()[0]!.toFixed(1)}`);
  }
} finally {
  await browser.close();
  await rm(folder, { recursive: true, force: true });
}
