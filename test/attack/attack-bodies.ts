import { setTimeout as sleep } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { readUsage } from "#cli/bench/process-usage";
import { type Client, makeClient } from "#cli/kit/service/client";
import type { ServiceProcess } from "#cli/kit/service/service-process";
import { quantile } from "#contract/statistics/quantile";
import { type GoodCallers, startCallers } from "../harness/good-callers.ts";
import { type HostileBody, hostileBodies } from "./hostile-bodies.ts";

export type AttackOptions = {
  /** How often each hostile body is sent. */
  readonly rounds: number;
  /** Pause between two hostile bodies. */
  readonly pauseMs: number;
  /** Good callers at once. */
  readonly callers: number;
  /** Time of good calls alone, before the attack. */
  readonly quietMs: number;
  /** Longest time for the memory to return. */
  readonly settleMsMax: number;
  /** A face image in Base64 for the good calls. */
  readonly selfie: string;
  readonly onProgress?: (text: string) => void;
};

export type Distribution = Readonly<Record<"p50" | "p99" | "p999" | "max", number>>;

export type Phase = {
  readonly seconds: number;
  readonly goodCalls: number;
  /** Good calls that were not answered 200. */
  readonly badAnswers: number;
  readonly perSecond: number;
  /** Milliseconds of /healthz. */
  readonly healthz: Distribution;
};

export type AttackReport = {
  readonly quiet: Phase;
  readonly attack: Phase;
  readonly residentMiB: Readonly<Record<"before" | "most" | "after", number>>;
  /** Of the main thread alone, by the service's own metrics. */
  readonly mainThread: Readonly<Record<"before" | "after", MainThread>>;
  /** Good calls from the start of the service until the last look at its memory. */
  readonly goodCallsInAll: number;
  /** Answers by hostile body, and how often each came. */
  readonly answers: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** Bodies that got an answer which they must not get. */
  readonly wrong: readonly string[];
};

const residentMiB = async (pid: number): Promise<number> => (await readUsage(pid)).residentBytes / 1024 ** 2;

export type MainThread = { readonly heapMiB: number; readonly externalMiB: number };

const mainThreadOf = async ({ url }: Pick<ServiceProcess, "url">): Promise<MainThread> => {
  const text = await (await fetch(`${url}/metrics`)).text();
  const mib = (name: string): number =>
    Number(new RegExp(`^${name} (\\S+)$`, "mu").exec(text)?.[1] ?? Number.NaN) / 1024 ** 2;
  return {
    heapMiB: mib("nodejs_heap_size_used_bytes"),
    externalMiB: mib("nodejs_external_memory_bytes"),
  };
};

const distribution = (times: readonly number[]): Distribution => {
  const at = (share: number): number => quantile([...times], share) ?? Number.NaN;
  return { p50: at(0.5), p99: at(0.99), p999: at(0.999), max: Math.max(...times) };
};

/** Sends one message to a thread and resolves with its reply. */
const ask = <Reply extends { readonly id: number }>(thread: Worker, id: number): Promise<Reply> =>
  new Promise((resolve, reject) => {
    const take = (reply: Reply): void => {
      if (reply.id !== id) return;
      thread.off("message", take).off("error", reject);
      resolve(reply);
    };
    thread.on("message", take).once("error", reject);
    thread.postMessage(id);
  });

/** Callers of passive liveness. */
const startLiveness = (client: Client, count: number, imageBuffer: string): GoodCallers =>
  startCallers(() => client.post("/services/evaluatePassiveLiveness", { imageBuffer }), count);

/** Measures good calls and /healthz while `during` runs. */
const observe = async (
  probe: Worker,
  { counts }: GoodCallers,
  during: () => Promise<void>,
): Promise<Phase> => {
  await ask(probe, 0);
  const [before, started] = [{ ...counts }, performance.now()];
  await during();
  const seconds = (performance.now() - started) / 1000;
  const goodCalls = counts.good - before.good;
  const badAnswers = counts.bad - before.bad;
  const { times } = await ask<{ readonly id: number; readonly times: readonly number[] }>(probe, 1);
  return { seconds, goodCalls, badAnswers, perSecond: goodCalls / seconds, healthz: distribution(times) };
};

type Tally = {
  readonly answers: Record<string, Record<string, number>>;
  readonly wrong: Set<string>;
  mostMiB: number;
};

type Statuses = { readonly id: number; readonly statuses: readonly (number | string)[] };

/** The answers that a hostile body must not get. */
const wrongIn = (
  { statuses: allowed, inFlightMax = 0 }: HostileBody,
  statuses: Statuses["statuses"],
): readonly string[] => {
  const inFlight = statuses.filter((status) => status === "in flight").length;
  const others = statuses.filter((status) => status !== "in flight" && !allowed.includes(Number(status)));
  return [...others.map(String), ...(inFlight > inFlightMax ? [`${inFlight} in flight`] : [])];
};

const sendAll = async (
  attacker: Worker,
  pid: number,
  { rounds, pauseMs, onProgress }: AttackOptions,
  tally: Tally,
): Promise<void> => {
  for (let round = 1; round <= rounds; round++) {
    for (const [index, body] of hostileBodies.entries()) {
      const { statuses } = await ask<Statuses>(attacker, index);
      const counts = (tally.answers[body.name] ??= {});
      for (const status of statuses) counts[status] = (counts[status] ?? 0) + 1;
      for (const fault of wrongIn(body, statuses)) tally.wrong.add(`${body.name}: ${fault}`);
      tally.mostMiB = Math.max(tally.mostMiB, await residentMiB(pid));
      await sleep(pauseMs);
    }
    onProgress?.(`Round ${round} of ${rounds}`);
  }
};

/** Resident memory after the attack, once it is within a tenth of the former level or the time is over. */
const settle = async (pid: number, beforeMiB: number, msMax: number): Promise<number> => {
  const end = performance.now() + msMax;
  for (;;) {
    const now = await residentMiB(pid);
    if (now <= 1.1 * beforeMiB || performance.now() > end) return now;
    await sleep(500);
  }
};

/**
 * Sends every hostile body `rounds` times with the key of one tenant while callers of another verify.
 * Measures /healthz in a thread of its own, the rate of the good calls before and during the attack, and
 * resident memory.
 */
export const attackBodies = async (
  service: ServiceProcess,
  hostileKey: string,
  options: AttackOptions,
): Promise<AttackReport> => {
  const thread = (file: string, apiKey: string): Worker =>
    new Worker(new URL(file, import.meta.url), { workerData: { url: service.url, apiKey } });
  const [probe, attacker] = [thread("./probe-thread.ts", ""), thread("./attacker-thread.ts", hostileKey)];
  const callers = startLiveness(makeClient(service.url, service.apiKey), options.callers, options.selfie);
  try {
    await sleep(options.quietMs / 2);
    const quiet = await observe(probe, callers, () => sleep(options.quietMs));
    const before = await residentMiB(service.pid);
    const mainBefore = await mainThreadOf(service);
    const tally: Tally = { answers: {}, wrong: new Set(), mostMiB: before };
    const attack = await observe(probe, callers, () => sendAll(attacker, service.pid, options, tally));
    const after = await settle(service.pid, before, options.settleMsMax);
    const mainThread = { before: mainBefore, after: await mainThreadOf(service) };
    const { answers, wrong, mostMiB } = tally;
    const resident = { before, most: mostMiB, after };
    const goodCallsInAll = callers.counts.good;
    return { quiet, attack, residentMiB: resident, mainThread, goodCallsInAll, answers, wrong: [...wrong] };
  } finally {
    await callers.stop();
    await Promise.all([probe.terminate(), attacker.terminate()]);
  }
};

export type ControlReport = { readonly goodCalls: number; readonly residentMiB: number } & MainThread;

/** The memory of a service after as many good calls, without an attack and still under the same callers. */
export const measureControl = async (
  service: ServiceProcess,
  goodCalls: number,
  { callers: count, selfie, onProgress }: Pick<AttackOptions, "callers" | "selfie" | "onProgress">,
): Promise<ControlReport> => {
  const callers = startLiveness(makeClient(service.url, service.apiKey), count, selfie);
  try {
    while (callers.counts.good < goodCalls) {
      await sleep(1_000);
      onProgress?.(`Control: ${callers.counts.good} of ${goodCalls} good calls`);
    }
    const resident = await residentMiB(service.pid);
    return { goodCalls: callers.counts.good, residentMiB: resident, ...(await mainThreadOf(service)) };
  } finally {
    await callers.stop();
  }
};
