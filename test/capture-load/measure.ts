import { setTimeout as pause } from "node:timers/promises";
import { readUsage } from "#cli/bench/process-usage";
import { makeClient } from "#cli/kit/service/client";
import { quantile } from "#contract/statistics/quantile";
import { type GoodCallers, startCallers } from "../harness/good-callers.ts";
import { persons, toBase64 } from "../harness/images.ts";
import { makeHarness } from "../harness/service.ts";
import { countRows } from "../harness/store-rows.ts";
import { type CapturedSession, captureFace, type Place } from "./capture-page.ts";
import { drawTurningHead } from "./turning-heads.ts";

export type LoadOptions = {
  /** Sessions at once. */
  readonly sessions: number;
  /** Callers of passive liveness beside them; 0 for none. */
  readonly callers: number;
  /** Longest time that a person thinks between two calls, uniformly drawn. */
  readonly thinkMs: number;
  /** Sessions before, one after the other, whose processor time is measured. */
  readonly alone: number;
  /** SIGKILLs of the service while the sessions run; after each it starts again on its directory. */
  readonly kills: number;
  /** Inference threads of the service. */
  readonly workers: number;
};

export type LoadReport = {
  readonly accepted: number;
  /** Sessions that ended in another way, with the reason. */
  readonly others: readonly string[];
  /** Judgements in the chain of evidence: one for each accepted session and each that went before. */
  readonly judged: number;
  readonly seconds: number;
  readonly finishMs: { readonly p50: number; readonly p95: number };
  /** Processor time of one capture alone, all calls of its session; NaN where none ran alone. */
  readonly cpuMsAlone: number;
  /** Good calls a second before and beside the sessions; undefined without callers. */
  readonly rates: { readonly before: number; readonly beside: number; readonly failed: number } | undefined;
  readonly residentMiB: { readonly before: number; readonly most: number };
};

const rateMs = 20_000;

/** Runs capture sessions at once against a fresh service, beside good callers. */
export const measureCaptures = async (options: LoadOptions): Promise<LoadReport> => {
  const harness = await makeHarness();
  const settings = { IDEM_WORKERS: String(options.workers) };
  try {
    let service = await harness.start(settings);
    const place: Place = { url: service.url, apiKey: service.apiKey };
    const head = await drawTurningHead(1);
    const atOnce = { think: () => Promise.resolve() };
    await captureFace(place, head, atOnce);
    const idle = await readUsage(service.pid);
    for (let n = 0; n < options.alone; n++) await captureFace(place, head, atOnce);
    const cpuMsAlone = ((await readUsage(service.pid)).cpuMs - idle.cpuMs) / options.alone;
    const imageBuffer = toBase64(persons.selfie);
    const verify = () =>
      makeClient(place.url, place.apiKey).post("/services/evaluatePassiveLiveness", { imageBuffer });
    const callers = startCallers(verify, options.callers);
    const before = await rateOf(callers, () => pause(options.callers === 0 ? 0 : rateMs));
    let most = 0;
    const memory = setInterval(() => {
      void readUsage(service.pid).then(
        ({ residentBytes }) => (most = Math.max(most, residentBytes)),
        () => 0,
      );
    }, 500);
    const residentBefore = (await readUsage(service.pid)).residentBytes;
    const think = () => pause(Math.random() * options.thinkMs);
    const running = Promise.allSettled(
      Array.from({ length: options.sessions }, () => captureFace(place, head, { think })),
    );
    const started = performance.now();
    const kill = async () => {
      for (let n = 0; n < options.kills; n++) {
        await pause(options.thinkMs * (0.5 + Math.random()));
        service.kill("SIGKILL");
        await service.ended;
        service = await harness.start(settings);
        place.url = service.url;
      }
    };
    const beside = await rateOf(callers, () => Promise.all([running, kill()]));
    const seconds = (performance.now() - started) / 1000;
    clearInterval(memory);
    await callers.stop();
    await service.stop();
    const ended = await running;
    const done = ended.flatMap((one): CapturedSession[] => (one.status === "fulfilled" ? [one.value] : []));
    const accepted = done.filter(({ result }) => result === "accepted");
    const times = done.map(({ finishMs }) => finishMs);
    return {
      accepted: accepted.length,
      others: [
        ...done.flatMap(({ result }) => (result === "accepted" ? [] : [result])),
        ...ended.flatMap((one) => (one.status === "rejected" ? [String(one.reason)] : [])),
      ],
      judged: countJudged(harness.directory) - options.alone - 1,
      seconds,
      finishMs: { p50: quantile(times, 0.5) ?? Number.NaN, p95: quantile(times, 0.95) ?? Number.NaN },
      cpuMsAlone,
      rates:
        options.callers === 0
          ? undefined
          : { before: before.perSecond, beside: beside.perSecond, failed: callers.counts.bad },
      residentMiB: { before: residentBefore / 2 ** 20, most: most / 2 ** 20 },
    };
  } finally {
    await harness.clear();
  }
};

const countJudged = (directory: string): number =>
  countRows(directory, "select count(*) n from evidence where kind = 'capture_judged'");

const rateOf = async (
  { counts }: GoodCallers,
  during: () => Promise<unknown>,
): Promise<{ readonly perSecond: number }> => {
  const [good, started] = [counts.good, performance.now()];
  await during();
  return { perSecond: (1000 * (counts.good - good)) / (performance.now() - started) };
};
