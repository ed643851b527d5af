import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { type Receiver, startReceiver } from "#cli/bench/start-receiver";
import type { Arrival } from "#cli/bench/webhook-receiver";
import type { Client } from "#cli/kit/service/client";
import { onePixelPng } from "../harness/images.ts";
import type { Deployment, Load } from "./kill-rounds.ts";

export type WebhookReport = {
  /** Operations whose first call was answered. */
  readonly acknowledged: readonly string[];
  /** Acknowledged operations that did not arrive at a destination: `operation, path`. */
  readonly lost: readonly string[];
  /** Events at a destination, each counted once. */
  readonly arrived: number;
  /** Arrivals of an event beyond the first, at one destination. */
  readonly duplicates: number;
  /** Events that arrived with two ids. */
  readonly otherIds: readonly string[];
  /** From the last restart to the last arrival. */
  readonly restMs: number;
};

export type WebhookLoad = Load<WebhookReport> & {
  readonly close: () => void;
};

export type WebhookLoadOptions = {
  readonly callers: number;
  readonly restMsMax: number;
  /** Ends the leases of the last dead process. Absent: they end in their time. */
  readonly endLeases?: (lastDeath: Date) => void;
};

export const destinationPaths = ["/one", "/two", "/three"] as const;

const pauseMs = 20;
const settleMs = 1_000;
/** The lease of a delivery is 45 s: then the deliveries of the last dead process have been repeated. */
const leasesEndMs = 50_000;
/** The same where the leases were ended. */
const leasesEndedMs = 5_000;

/** Callers that start operations, and a real receiver of their events in a process of its own. */
export const makeWebhookLoad = async (options: WebhookLoadOptions): Promise<WebhookLoad> => {
  const receiver = await startReceiver();
  const acknowledged: string[] = [];
  const arrivals: Arrival[] = [];

  const callOne = async (deployment: Deployment): Promise<void> => {
    const operationId = randomUUID();
    const body = { imageBuffer: onePixelPng, tracking: { operationId } };
    const { status } = await deployment.client().post("/services/evaluatePassiveLiveness", body);
    if (status === 200) acknowledged.push(operationId);
  };
  const call = async (deployment: Deployment, signal: AbortSignal): Promise<void> => {
    while (!signal.aborted) {
      // A process that dies breaks the call off.
      await callOne(deployment).catch(() => undefined);
      await sleep(pauseMs);
    }
  };

  return {
    prepare: async (client) => {
      for (const path of destinationPaths) await createDestination(client, receiver, path);
    },
    kind: "operations",
    acknowledged: () => acknowledged.length,
    run: async (deployment, signal) => {
      await Promise.all(Array.from({ length: options.callers }, () => call(deployment, signal)));
    },
    judge: async (_, lastDeath) => {
      const begun = performance.now();
      const take = async (): Promise<void> => {
        arrivals.push(...(await receiver.report()));
      };
      options.endLeases?.(lastDeath);
      await take();
      while (lostOf(acknowledged, arrivals).length > 0 && performance.now() - begun < options.restMsMax) {
        await sleep(settleMs);
        await take();
      }
      const restMs = performance.now() - begun;
      await sleep(Math.max(0, (options.endLeases ? leasesEndedMs : leasesEndMs) - restMs));
      await take();
      return { acknowledged, lost: lostOf(acknowledged, arrivals), restMs, ...repetitionsOf(arrivals) };
    },
    close: receiver.stop,
  };
};

const createDestination = async (client: Client, receiver: Receiver, path: string): Promise<void> => {
  const destination = { name: path, url: receiver.url(path), topics: ["*"], timeoutSeconds: 5 };
  const { status, body } = await client.post("/operator/destinations", destination);
  if (status !== 200) throw new Error(`The destination was refused: ${JSON.stringify(body)}`);
};

const lostOf = (acknowledged: readonly string[], arrivals: readonly Arrival[]): readonly string[] => {
  const arrived = new Set(arrivals.map(({ source, path }) => `${source} ${path}`));
  return acknowledged.flatMap((id) =>
    destinationPaths
      .filter((path) => !arrived.has(`/operations/${id} ${path}`))
      .map((path) => `${id}, ${path}`),
  );
};

const repetitionsOf = (arrivals: readonly Arrival[]) => {
  const events = Map.groupBy(arrivals, ({ source, sequence }) => `${source} ${sequence}`);
  const otherIds = [...events]
    .filter(([, list]) => new Set(list.map(({ id }) => id)).size > 1)
    .map(([name]) => name);
  const distinct = new Set(arrivals.map(({ id, path }) => `${id} ${path}`)).size;
  return { otherIds, arrived: distinct, duplicates: arrivals.length - distinct };
};
