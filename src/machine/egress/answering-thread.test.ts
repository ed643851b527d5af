import { createServer } from "node:http";
import type { Worker } from "node:worker_threads";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hostilePeers } from "#support/egress/hostile-peers";
import { listenLocally } from "#support/egress/local-server";
import { startEgressWorker } from "#support/egress/start-egress-worker";
import { type Peers, startPeers } from "#support/egress/start-peers";
import { EgressError } from "./egress.ts";
import { makeEgressThread } from "./thread/egress-thread.ts";

/** Peers that send as fast as they can, before their answer or within it. */
const floods = [
  "100 Continue without end",
  "103 with a header, without end",
  "headers without end",
  "empty lines without end",
  "NULs",
  "chunks of one byte",
  "a long extension on each chunk",
  "pieces of one byte",
  "a body without end",
];

/** A server that keeps the rules. */
const honest = createServer((_, response) => response.end("hello"));
let honestUrl = "";
let peers: Peers;
let worker: Worker;
const thread = makeEgressThread(
  () => {
    worker = startEgressWorker(["127.0.0.1"]);
    return worker;
  },
  () => undefined,
);
beforeAll(async () => {
  peers = await startPeers();
  honestUrl = `http://127.0.0.1:${await listenLocally(honest)}/`;
  await thread.egress("https://127.0.0.1:1/", { bytesMax: 1 }).catch(() => undefined);
});
afterAll(async () => {
  await thread.close();
  await peers.close();
  honest.closeAllConnections();
  honest.close();
});

const urlOf = (name: string): string => {
  const place = hostilePeers.findIndex((peer) => peer.name === name);
  expect(place).toBeGreaterThanOrEqual(0);
  return peers.urlOf(place);
};
const msOf = ({ user, system }: NodeJS.CpuUsage): number => (user + system) / 1000;

/** Calls the peer again and again, as a webhook of 16 kB is read, until the time is over. */
const keepCalling = async (name: string, untilMs: number): Promise<number> => {
  const url = urlOf(name);
  for (let calls = 1; ; calls += 1) {
    try {
      let bytes = 0;
      const answer = await thread.egress(url, { bytesMax: 1e9, headMsMax: 15_000, keepsConnection: true });
      for await (const piece of answer.body) {
        bytes += piece.length;
        if (bytes > 16_384) break;
      }
    } catch (error) {
      if (!(error instanceof EgressError)) throw error;
    }
    if (performance.now() > untilMs) return calls;
    // A hundred times more often than the ladder of retries calls one receiver.
    await new Promise((resolve) => {
      setTimeout(resolve, 50);
    });
  }
};

describe("the thread that answers callers, while nine peers flood", () => {
  it("takes a small part of the processor time of the calls", async () => {
    const seconds = 4;
    const [own, theirs] = [process.threadCpuUsage(), await worker.cpuUsage()];
    const startedMs = performance.now();
    const calls = await Promise.all(floods.map((name) => keepCalling(name, startedMs + seconds * 1000)));
    const ownMs = msOf(process.threadCpuUsage(own));
    const theirMs = msOf(await worker.cpuUsage(theirs));
    const count = calls.reduce((sum, n) => sum + n, 0);
    expect(count).toBeGreaterThanOrEqual(floods.length);
    // Measured: 9 % of the time of the calls, and .9 ms for each.
    expect(ownMs).toBeLessThan(theirMs / 2);
    expect(ownMs / count).toBeLessThan(5);
  });

  it("and the other calls go on: each gets its answer within its time", async () => {
    const untilMs = performance.now() + 3_000;
    const flooding = Promise.all(floods.map((name) => keepCalling(name, untilMs)));
    const answers: string[] = [];
    do {
      const answer = await thread.egress(honestUrl, { bytesMax: 100, headMsMax: 10_000 });
      for await (const piece of answer.body) answers.push(Buffer.from(piece).toString());
    } while (performance.now() < untilMs);
    await flooding;
    expect(new Set(answers)).toEqual(new Set(["hello"]));
    expect(answers.length).toBeGreaterThan(3);
  });
});
