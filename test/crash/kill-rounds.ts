import { setTimeout as sleep } from "node:timers/promises";
import { type Client, makeClient } from "#cli/kit/service/client";
import type { ServiceProcess } from "#cli/kit/service/service-process";
import { seededRandom } from "#contract/statistics/random";
import type { Harness } from "../harness/service.ts";

export type KillOptions = {
  /** Number of kills. */
  readonly rounds: number;
  readonly seed: number;
  /** A process is killed at a random moment from its readiness to this time after it. */
  readonly lifeMsMax: number;
  /** No process is killed before the service acknowledged so many calls. Absent: none. */
  readonly acknowledgedMin?: number;
  /** Processes that work on the same store. One dies in each round. */
  readonly processes: number;
  /**
   * The roles of the processes, in turn. Absent: each does everything. Callers reach those of the role api
   * alone.
   */
  readonly roles?: readonly ("api" | "worker" | "delivery")[];
  readonly environment: Readonly<Record<string, string>>;
  readonly say: (line: string) => void;
};

/** The service as a caller sees it: some process answers, or none. */
export type Deployment = {
  /** A client of a living process; a dead one rejects the call. */
  readonly client: () => Client;
};

/** Calls that go on while processes die, and the judgement afterwards. */
export type Load<Report> = {
  /** Calls the service before the first kill, undisturbed. */
  readonly prepare: (client: Client) => Promise<void>;
  /** Calls the service until the signal aborts. Never rejects for a call that a dead process broke off. */
  readonly run: (deployment: Deployment, signal: AbortSignal) => Promise<void>;
  /** What is acknowledged, for the progress. */
  readonly kind: string;
  /** How many calls were acknowledged so far. */
  readonly acknowledged: () => number;
  /** Waits until the work is done, and states what became of it. */
  readonly judge: (deployment: Deployment, lastDeath: Date) => Promise<Report>;
};

export type KillReport<Report> = { readonly kills: number; readonly lifeMs: number; readonly load: Report };

const pollMs = 20;
/** A service that acknowledges nothing in this time is killed all the same: the report shows it. */
const acknowledgedMsMax = 120_000;

/**
 * Kills a process of the service with SIGKILL in every round, at a random moment under the load, and starts
 * it again. Then lets the load judge what became of its work. The seed repeats the moments, and not the load
 * of the machine.
 */
export const runKillRounds = async <Report>(
  harness: Pick<Harness, "start">,
  options: KillOptions,
  load: Load<Report>,
): Promise<KillReport<Report>> => {
  const { rounds, processes, lifeMsMax, acknowledgedMin = 0, environment, say } = options;
  const random = seededRandom(options.seed);
  const roleOf = (place: number) => options.roles?.[place % options.roles.length];
  const start = async (place: number): Promise<ServiceProcess> => {
    const role = roleOf(place);
    return await harness.start(environment, role === undefined ? [] : ["--role", role]);
  };
  const services: ServiceProcess[] = [];
  for (let place = 0; place < processes; place++) services.push(await start(place));
  const deployment = deploymentOf(services, (place) => (roleOf(place) ?? "api") === "api");
  await load.prepare(deployment.client());
  const ending = new AbortController();
  const calls = load.run(deployment, ending.signal);
  let lifeMs = 0;
  let lastDeath = new Date();
  try {
    for (let round = 1; round <= rounds; round++) {
      const waitMs = random() * lifeMsMax;
      const place = Math.floor(random() * processes);
      await sleep(waitMs);
      const waitEnd = performance.now() + acknowledgedMsMax;
      while (load.acknowledged() < acknowledgedMin && performance.now() < waitEnd) await sleep(pollMs);
      services[place]!.kill("SIGKILL");
      await services[place]!.ended;
      lastDeath = new Date();
      lifeMs += waitMs;
      const seconds = (waitMs / 1000).toFixed(1);
      say(`Kill ${round} of ${rounds} after ${seconds} s: ${load.acknowledged()} ${load.kind} acknowledged`);
      services[place] = await start(place);
    }
  } finally {
    // Also after a process that does not start: the load would call on for ever.
    ending.abort();
    await calls;
  }
  const report = await load.judge(deployment, lastDeath);
  for (const service of services) await service.stop();
  return { kills: rounds, lifeMs, load: report };
};

const deploymentOf = (
  services: readonly ServiceProcess[],
  serves: (place: number) => boolean,
): Deployment => {
  const clients = new Map<string, Client>();
  let calls = 0;
  return {
    client: () => {
      const serving = services.filter((_, place) => serves(place));
      const { url, apiKey } = serving[calls++ % serving.length]!;
      const client = clients.get(url) ?? makeClient(url, apiKey);
      clients.set(url, client);
      return client;
    },
  };
};
