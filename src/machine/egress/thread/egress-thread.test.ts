import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import { Worker } from "node:worker_threads";
import { afterAll, beforeAll, expect, it } from "vitest";
import { listenLocally } from "#support/egress/local-server";
import { startEgressWorker } from "#support/egress/start-egress-worker";
import { type EgressAnswer, EgressError } from "../egress.ts";
import { makeEgressThread } from "./egress-thread.ts";

const seen: string[] = [];
let closed = 0;
const routes: Readonly<Record<string, RequestListener>> = {
  "/echo": (request, response) => request.pipe(response),
  "/large": (_, response) => response.end(Buffer.alloc(3_000_000, 7)),
  "/silent": () => undefined,
  "/cut": (_, response) => {
    response.writeHead(200, { "content-length": "100" });
    response.write("the start");
    setTimeout(() => response.destroy(), 100);
  },
  "/endless": (_, response) => {
    const more = (): void =>
      void (response.destroyed || response.write(Buffer.alloc(65_536), () => setImmediate(more)));
    response.writeHead(200);
    more();
  },
  "/once": (_, response) => response.writeHead(307, { location: "/echo?sig=1" }).end(),
};
let server: Server;
let base = "";
const workers: Worker[] = [];
const causes: unknown[] = [];
const start = (): Worker => {
  const worker = startEgressWorker(["127.0.0.1"]);
  workers.push(worker);
  return worker;
};
const thread = makeEgressThread(start, (cause) => causes.push(cause));
const { egress } = thread;

beforeAll(async () => {
  server = createServer((request, response) => {
    const path = (request.url ?? "").split("?")[0] ?? "";
    seen.push(`${request.method} ${path}`);
    request.socket.once("close", () => {
      closed += 1;
    });
    routes[path]?.(request, response);
  });
  base = `http://127.0.0.1:${await listenLocally(server)}`;
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await thread.close();
});

const bytesOf = async ({ body }: EgressAnswer): Promise<Buffer> => {
  const pieces: Uint8Array[] = [];
  for await (const piece of body) pieces.push(piece);
  return Buffer.concat(pieces);
};
const failureOf = async (work: Promise<unknown>): Promise<unknown> =>
  await work.then(
    () => "answered",
    (error: unknown) => error,
  );
const reasonOf = async (work: Promise<unknown>): Promise<unknown> => {
  const failure = await failureOf(work);
  return failure instanceof EgressError ? failure.reason : failure;
};
const call = { bytesMax: 5_000_000 };

it("brings head, body, source and times of an answer, and the body of the call", async () => {
  const body = Buffer.from("áé".repeat(50_000));
  const answer = await egress(`${base}/echo?secret=1`, { ...call, method: "POST", body });
  expect(answer.status).toBe(200);
  expect(answer.source).toBe(`${base}/echo`);
  expect(answer.exchange.address).toBe("127.0.0.1");
  expect(answer.exchange.firstByteMs).toBeGreaterThan(0);
  expect((await bytesOf(answer)).equals(body)).toBe(true);
  expect(body.length).toBe(200_000);
});

it("brings a body larger than its batches whole, and an empty one", async () => {
  expect((await bytesOf(await egress(`${base}/large`, call))).equals(Buffer.alloc(3_000_000, 7))).toBe(true);
  expect((await bytesOf(await egress(`${base}/echo`, { ...call, method: "POST" }))).length).toBe(0);
});

it("brings what came before a cut, then the cut", async () => {
  const { body } = await egress(`${base}/cut`, call);
  const pieces: Uint8Array[] = [];
  const reading = async (): Promise<void> => {
    for await (const piece of body) pieces.push(piece);
  };
  expect(await reasonOf(reading())).toBe("cut");
  expect(Buffer.concat(pieces).toString()).toBe("the start");
});

it("refuses by the same rules, with the error of the thread", async () => {
  expect(await reasonOf(egress("http://10.0.0.1/", call))).toBe("address_refused");
  expect(await reasonOf(egress("ftp://127.0.0.1/", call))).toBe("url_refused");
  expect(await reasonOf(egress(`${base}/large`, { bytesMax: 10 }).then(bytesOf))).toBe("too_long");
  expect(await reasonOf(egress(`${base}/silent`, { ...call, headMsMax: 100 }))).toBe("timed_out");
  expect(await reasonOf(egress(`${base}/endless`, { bytesMax: 1e12, wholeMsMax: 300 }).then(bytesOf))).toBe(
    "timed_out",
  );
  const failure = await failureOf(egress("http://127.0.0.1:1/", call));
  expect(failure).toMatchObject({ name: "EgressError", exchange: {} });
});

it("follows a redirect where a call asks for it", async () => {
  const answer = await egress(`${base}/once`, { ...call, redirectsMax: 1 });
  expect([answer.status, answer.source]).toEqual([200, `${base}/echo`]);
  answer.discard();
});

it("ends a call with the reason of its signal, before and within its answer, and its connection", async () => {
  const before = closed;
  const ending = new AbortController();
  const silent = failureOf(egress(`${base}/silent`, { ...call, signal: ending.signal }));
  const endless = await egress(`${base}/endless`, { bytesMax: 1e12, signal: ending.signal });
  const reading = failureOf(bytesOf(endless));
  const reason = new Error("The caller has left");
  setTimeout(() => ending.abort(reason), 100);
  expect([await silent, await reading]).toEqual([reason, reason]);
  expect(await failureOf(egress(`${base}/echo`, { ...call, signal: ending.signal }))).toBe(reason);
  await expect.poll(() => closed - before).toBeGreaterThanOrEqual(2);
  expect(thread.readings().calls).toBe(0);
});

it("a reader that leaves, or discards, ends the connection", async () => {
  const before = closed;
  for await (const piece of (await egress(`${base}/endless`, { bytesMax: 1e12 })).body) {
    expect(piece.length).toBeGreaterThan(0);
    break;
  }
  (await egress(`${base}/endless`, { bytesMax: 1e12 })).discard();
  await expect.poll(() => closed - before).toBe(2);
  expect(thread.readings().calls).toBe(0);
});

it("a body that its caller does not read waits in the thread, within the buffers of the system", async () => {
  const answer = await egress(`${base}/endless`, { bytesMax: 1e12 });
  const worker = workers.at(-1);
  await new Promise((resolve) => {
    setTimeout(resolve, 300);
  });
  const { external, arrayBuffers } = process.memoryUsage();
  await new Promise((resolve) => {
    setTimeout(resolve, 300);
  });
  const later = process.memoryUsage();
  expect(later.external + later.arrayBuffers - external - arrayBuffers).toBeLessThan(16_000_000);
  expect(worker?.threadId).toBeGreaterThan(0);
  answer.discard();
});

it("survives the death of the thread: its calls fail with `interrupted`, and the next call starts another", async () => {
  const reading = reasonOf(egress(`${base}/endless`, { bytesMax: 1e12 }).then(bytesOf));
  const asking = reasonOf(egress(`${base}/silent`, call));
  await expect.poll(() => seen.at(-1)).toBe("GET /silent");
  const [before, worker] = [thread.readings().deaths, workers.at(-1)];
  await worker?.terminate();
  expect([await reading, await asking]).toEqual(["interrupted", "interrupted"]);
  expect(thread.readings()).toEqual({ calls: 0, deaths: before + 1 });
  expect(causes.length).toBe(before + 1);
  expect((await egress(`${base}/echo`, { ...call, method: "POST" })).status).toBe(200);
  expect(workers.length).toBe(before + 2);
});

it("fails each call after its close, until it is started again", async () => {
  const own = makeEgressThread(start, () => causes.push("an end by close is no death"));
  own.start();
  const asking = reasonOf(own.egress(`${base}/silent`, call));
  const [worker] = workers.slice(-1);
  if (worker !== undefined) await once(worker, "online");
  await own.close();
  expect([await asking, await reasonOf(own.egress(`${base}/echo`, call))]).toEqual([
    "interrupted",
    "interrupted",
  ]);
  expect(causes).not.toContain("an end by close is no death");
  own.start();
  expect((await own.egress(`${base}/echo`, { ...call, method: "POST" })).status).toBe(200);
  await own.close();
});

/** A thread of another program, in place of one of outgoing calls. */
const startProgram = (program: string): Worker => new Worker(program, { eval: true });
const hanging =
  'const { parentPort } = require("node:worker_threads"); parentPort.postMessage({ kind: "ready" });';

it("ends a thread that hangs: its calls fail, and the next call starts another", async () => {
  const deaths: unknown[] = [];
  let isFirst = true;
  const own = makeEgressThread(
    () => {
      const worker = isFirst
        ? startProgram(`${hanging} parentPort.once("message", () => { for (;;); });`)
        : start();
      isFirst = false;
      return worker;
    },
    (cause) => deaths.push(cause),
    { startMsMax: 30_000, hangMs: 500 },
  );
  const short = { ...call, headMsMax: 100 };
  const others = [reasonOf(own.egress(`${base}/silent`, call)), reasonOf(own.egress(`${base}/echo`, short))];
  expect(await Promise.all(others)).toEqual(["interrupted", "interrupted"]);
  expect([deaths.length, own.readings()]).toEqual([1, { calls: 0, deaths: 1 }]);
  expect((await own.egress(`${base}/echo`, { ...call, method: "POST" })).status).toBe(200);
  await own.close();
}, 30_000);

it("ends a thread that never takes calls, within the time of its start, and starts another for the next call", async () => {
  const programs = ["setInterval(() => undefined, 1000)", "for (;;);"];
  const left = [...programs];
  const own = makeEgressThread(
    () => {
      const program = left.shift();
      return program === undefined ? start() : startProgram(program);
    },
    () => undefined,
    { startMsMax: 500, hangMs: 5_000 },
  );
  for (const _ of programs) {
    const started = performance.now();
    expect(await reasonOf(own.egress(`${base}/echo`, call))).toBe("interrupted");
    expect(performance.now() - started).toBeLessThan(5_000);
  }
  expect(own.readings()).toEqual({ calls: 0, deaths: 2 });
  await own.close();
}, 20_000);

it.concurrent("leaves a thread alone whose caller does not read its answer in its time", async () => {
  const deaths: unknown[] = [];
  const own = makeEgressThread(start, (cause) => deaths.push(cause), { startMsMax: 30_000, hangMs: 3_000 });
  const unread = await own.egress(`${base}/endless`, { bytesMax: 1e12, headMsMax: 1_000, wholeMsMax: 1_001 });
  // Its time, then the time until it counts as hanging, then the time for the sign of life.
  await new Promise((resolve) => {
    setTimeout(resolve, 8_000);
  });
  expect(await reasonOf(bytesOf(unread))).toBe("interrupted");
  expect((await own.egress(`${base}/echo`, { ...call, method: "POST" })).status).toBe(200);
  expect([deaths, own.readings().deaths]).toEqual([[], 0]);
  await own.close();
}, 40_000);

it.concurrent("gives a thread that has started no further bound: it lives beyond the time of its start", async () => {
  const deaths: unknown[] = [];
  const own = makeEgressThread(start, (cause) => deaths.push(cause), { startMsMax: 4_000, hangMs: 5_000 });
  expect((await own.egress(`${base}/echo`, { ...call, method: "POST" })).status).toBe(200);
  await new Promise((resolve) => {
    setTimeout(resolve, 4_500);
  });
  expect([deaths, own.readings().deaths]).toEqual([[], 0]);
  await own.close();
}, 30_000);
