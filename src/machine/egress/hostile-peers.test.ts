import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type HostilePeer, hostilePeers } from "#support/egress/hostile-peers";
import { makeLagMeter } from "#support/egress/lag";
import { startEgressWorker } from "#support/egress/start-egress-worker";
import { type Peers, startPeers } from "#support/egress/start-peers";
import { type EgressCall, EgressError } from "./egress.ts";
import { makeEgressThread } from "./thread/egress-thread.ts";

/** A peer that waits ends a call in the time of the call alone. */
const short = { headMsMax: 1_000, silenceMsMax: 1_000, wholeMsMax: 1_500 };
/** Of the others: on a busy machine their floods take their time. */
const long = { headMsMax: 20_000, silenceMsMax: 20_000, wholeMsMax: 30_000 };
const waits = ({ ends }: HostilePeer): boolean => ends.every((end) => end === "timed_out");
const placed = hostilePeers.map((peer, place) => ({ peer, place }));

const form = { "content-type": "application/x-www-form-urlencoded" };

/** Calls as the clients make them. */
const clients: Readonly<Record<string, EgressCall>> = {
  "an OAuth server": {
    method: "POST",
    headers: form,
    body: Buffer.from("grant_type=client_credentials"),
    bytesMax: 65_536,
  },
  "a registry": {
    method: "GET",
    headers: { authorization: "Basic eA==" },
    bytesMax: 2_000_000,
    keepsConnection: true,
  },
  "an OCSP responder": { method: "POST", body: Buffer.from("ask"), bytesMax: 20_000, verifiesAnswer: true },
  "a list of revocations": { method: "GET", bytesMax: 5_000_000, verifiesAnswer: true, redirectsMax: 2 },
  "a time-stamp server": {
    method: "POST",
    body: Buffer.from("ask"),
    bytesMax: 65_536,
    verifiesAnswer: true,
    keepsConnection: true,
  },
};

let peers: Peers;
const deaths: unknown[] = [];
const thread = makeEgressThread(
  () => startEgressWorker(["127.0.0.1"]),
  (cause) => deaths.push(cause),
);
const unhandled: unknown[] = [];
const note = (error: unknown): void => void unhandled.push(error);

beforeAll(async () => {
  process.on("unhandledRejection", note);
  peers = await startPeers();
  // The start of the thread is no time of a call.
  await thread.egress("https://127.0.0.1:1/", { bytesMax: 1 }).catch(() => undefined);
});
afterAll(async () => {
  process.off("unhandledRejection", note);
  await peers.close();
  await thread.close();
});

/** The end of a call, the bytes of its body, and its time. */
const endOf = async (url: string, call: EgressCall) => {
  const startedMs = performance.now();
  let bytes = 0;
  const end = await thread.egress(url, call).then(
    async ({ body }) => {
      try {
        for await (const piece of body) bytes += piece.length;
        return "answered";
      } catch (error) {
        return nameOf(error);
      }
    },
    (error: unknown) => nameOf(error),
  );
  return { end, bytes, ms: performance.now() - startedMs };
};
const nameOf = (error: unknown): string => (error instanceof EgressError ? error.reason : String(error));

/** Asks peers at once; returns those that ended otherwise than they may, or late. */
const askAll = async (asked: typeof placed, client: EgressCall, times: typeof short) => {
  const lag = makeLagMeter();
  const ended = await Promise.all(
    asked.map(async ({ peer, place }) => ({
      peer,
      ...(await endOf(peers.urlOf(place), { ...client, ...times })),
    })),
  );
  const msMax = times.wholeMsMax + 1_000 + lag.stop();
  return ended
    .filter(({ peer, end, bytes, ms }) => {
      const isNamed = peer.ends.some((one) => one === end);
      return !isNamed || ms > msMax || bytes > client.bytesMax;
    })
    .map(({ peer, end, bytes, ms }) => `${peer.name}: ${end}, ${bytes} bytes, ${Math.round(ms)} ms`);
};

describe.each(Object.entries(clients))("a peer without rules, asked as %s", (_, client) => {
  it("ends with a named failure, within the bytes", async () => {
    const before = await peers.bytesSent();
    const others = placed.filter(({ peer }) => !waits(peer));
    expect(await askAll(others, client, long)).toEqual([]);
    // Each peer fills the buffers of the system once, and no more.
    expect((await peers.bytesSent()) - before).toBeLessThan(others.length * 16_000_000);
    expect([deaths, unhandled, thread.readings().calls]).toEqual([[], [], 0]);
  });

  it("ends in the time of the call where it only waits", async () => {
    const waiting = placed.filter(({ peer }) => waits(peer));
    expect(await askAll(waiting, client, short)).toEqual([]);
    expect([deaths, unhandled, thread.readings().calls]).toEqual([[], [], 0]);
  });
});

it("the catalogue has fifty peers or more, each with a name of its own", () => {
  expect(new Set(hostilePeers.map(({ name }) => name)).size).toBe(hostilePeers.length);
  expect(hostilePeers.length).toBeGreaterThanOrEqual(50);
});
