import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeEgressThread } from "#machine/egress/thread/egress-thread";
import { type HostilePeer, hostilePeers } from "#support/egress/hostile-peers";
import { makeLagMeter } from "#support/egress/lag";
import { startEgressWorker } from "#support/egress/start-egress-worker";
import { type Peers, startPeers } from "#support/egress/start-peers";
import { oauthOf, openWebhookHarness, type WebhookHarness } from "#support/webhooks/harness";
import { answerBytesKept } from "./read-start.ts";
import type { Message, Send, SendResult } from "./send.ts";

const message: Message = {
  id: "0f8fad5b-d9cb-469f-a165-70867728950e",
  at: new Date(1_790_000_000_500),
  body: '{"name":"Ñandú"}',
  contentType: "application/cloudevents+json",
};

let harness: WebhookHarness;
let peers: Peers;
let send: Send;
const ends: unknown[] = [];
const note = (error: unknown): void => void ends.push(error);
const thread = makeEgressThread(() => startEgressWorker(["127.0.0.1"]), note);

beforeAll(async () => {
  process.on("unhandledRejection", note);
  [harness, peers] = [await openWebhookHarness(), await startPeers()];
  send = harness.newSender(thread.egress).send;
  await thread.egress("https://127.0.0.1:1/", { bytesMax: 1 }).catch(() => undefined);
});
afterAll(async () => {
  process.off("unhandledRejection", note);
  await thread.close();
  await peers.close();
  await harness.close();
});

/** A peer that only waits gets a short time; the others may be slow where the machine is busy. */
const timeoutMsOf = ({ ends: possible }: HostilePeer): number =>
  possible.every((end) => end === "timed_out") ? 1_500 : 20_000;

type Ended = SendResult & { readonly name: string; readonly isLate: boolean };

/** One attempt for each peer, as the receiver or as the server of its tokens. */
const attemptAll = async (as: "receiver" | "token server", isShort: boolean): Promise<readonly Ended[]> => {
  const lag = makeLagMeter();
  const asked = hostilePeers
    .map((peer, place) => ({ peer, place }))
    .filter(({ peer }) => timeoutMsOf(peer) < 2_000 === isShort);
  const attempted = await Promise.all(
    asked.map(async ({ peer, place }) => {
      const timeoutMs = timeoutMsOf(peer);
      const url = peers.urlOf(place);
      const destination = await harness.newDestination({
        timeoutMs,
        ...(as === "receiver" ? { url } : { url: "https://192.0.2.1/", auth: oauthOf(url) }),
      });
      const startedMs = performance.now();
      const result = await send(destination, message);
      return { ...result, name: peer.name, ms: performance.now() - startedMs, timeoutMs };
    }),
  );
  const lagMs = lag.stop();
  return attempted.map(({ ms, timeoutMs, ...result }) => ({
    ...result,
    isLate: ms > timeoutMs + 1_000 + lagMs,
  }));
};

const headsOf = (end: string): readonly string[] =>
  hostilePeers.filter(({ ends: possible }) => possible.every((one) => one === end)).map(({ name }) => name);

describe("a message to a receiver without rules", () => {
  it.each([
    ["that floods, breaks off or writes nonsense", false],
    ["that waits", true],
  ])("%s ends as an outcome, in time, with at most 16 kB of its answer", async (_, isShort) => {
    const ended = await attemptAll("receiver", isShort);
    expect(ended.filter(({ isLate }) => isLate)).toEqual([]);
    const unnamed = ended.filter(
      ({ outcome, reason }) => outcome !== "delivered" && outcome !== "refused" && reason === undefined,
    );
    expect(unnamed).toEqual([]);
    expect(Math.max(...ended.map(({ answer }) => answer?.length ?? 0))).toBeLessThanOrEqual(answerBytesKept);
    const interim = ended.filter(({ name }) => /^(100|103|102|nine)/.test(name) && !name.includes("after"));
    if (!isShort) {
      expect(interim.map(({ outcome }) => outcome)).toEqual(Array(4).fill("unreachable"));
      expect(interim.map(({ reason }) => reason?.replace(/^127.0.0.1:\d+ /, "")).join()).toContain(
        "interim answers",
      );
    }
    const lost = headsOf("unreachable");
    const wrong = ended.filter(({ name, outcome }) => lost.includes(name) && outcome !== "unreachable");
    expect(wrong.map(({ name, outcome }) => `${name}: ${outcome}`)).toEqual([]);
    expect([ends, thread.readings().calls]).toEqual([[], 0]);
  });
});

describe("a token of a server without rules", () => {
  it.each([
    ["that floods, breaks off or writes nonsense", false],
    ["that waits", true],
  ])("%s fails in time, and shows no secret", async (_, isShort) => {
    const ended = await attemptAll("token server", isShort);
    expect(ended.filter(({ isLate, outcome }) => isLate || outcome !== "token_failed")).toEqual([]);
    expect(JSON.stringify(ended)).not.toMatch(/canary|whsec_/);
    await expect.poll(() => thread.readings().calls, { timeout: 15_000 }).toBe(0);
    expect(ends).toEqual([]);
  });
});

it("a thread of outgoing calls that dies takes no attempt: the message is rejected for its next time", async () => {
  const silent = hostilePeers.findIndex(({ name }) => name === "no answer");
  const workers = [startEgressWorker(["127.0.0.1"])];
  const [worker] = workers;
  const mortal = makeEgressThread(
    () => workers.pop() ?? startEgressWorker(["127.0.0.1"]),
    () => undefined,
  );
  const destination = await harness.newDestination({ url: peers.urlOf(silent), timeoutMs: 30_000 });
  const sending = harness.newSender(mortal.egress).send(destination, message);
  const failure = sending.catch((error: unknown) => error);
  await expect.poll(() => mortal.readings().calls).toBe(1);
  await worker?.terminate();
  expect(await failure).toMatchObject({ name: "EgressError", reason: "interrupted" });
  await mortal.close();
});
