import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type EgressCall, EgressError } from "./egress.ts";
import { type HostilePeer, hostilePeers } from "./testing/hostile-peers.ts";
import { makeLagMeter } from "./testing/lag.ts";
import { startEgressWorker } from "./testing/start-egress-worker.ts";
import { type Peers, startPeers } from "./testing/start-peers.ts";
import { makeEgressThread } from "./thread/egress-thread.ts";

/** Of a peer that ends a call by waiting alone. */
const short = { headMsMax: 1_000, silenceMsMax: 1_000, wholeMsMax: 1_500 };
/** Of the others: on a busy machine their floods take their time. */
const long = { headMsMax: 20_000, silenceMsMax: 20_000, wholeMsMax: 30_000 };
const timesOf = ({ ends }: HostilePeer) => (ends.every((end) => end === "timed_out") ? short : long);
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

describe.each(Object.entries(clients))("a peer without rules, asked as %s", (_, client) => {
  it("ends with a named failure, in time and within the bytes", async () => {
    const lag = makeLagMeter();
    const before = await peers.bytesSent();
    const ended = await Promise.all(
      hostilePeers.map(async (peer, place) => ({
        peer,
        ...(await endOf(peers.urlOf(place), { ...client, ...timesOf(peer) })),
      })),
    );
    const lagMs = lag.stop();
    const wrong = ended.filter(({ peer, end }) => !peer.ends.some((one) => one === end));
    expect(wrong.map(({ peer, end }) => `${peer.name}: ${end}`)).toEqual([]);
    const late = ended.filter(({ peer, ms }) => ms > timesOf(peer).wholeMsMax + 1_000 + lagMs);
    expect(late.map(({ peer, ms }) => `${peer.name}: ${Math.round(ms)} ms`)).toEqual([]);
    expect(Math.max(...ended.map(({ bytes }) => bytes))).toBeLessThanOrEqual(client.bytesMax);
    // Each peer fills the buffers of the system once, and no more.
    expect((await peers.bytesSent()) - before).toBeLessThan(hostilePeers.length * 16_000_000);
    expect([deaths, unhandled, thread.readings().calls]).toEqual([[], [], 0]);
  });
});

it("the catalogue has fifty peers or more, each with a name of its own", () => {
  expect(new Set(hostilePeers.map(({ name }) => name)).size).toBe(hostilePeers.length);
  expect(hostilePeers.length).toBeGreaterThanOrEqual(50);
});
