import { createServer, type ServerResponse } from "node:http";
import { afterEach, beforeEach, expect, it } from "vitest";
import { listenLocally } from "#support/egress/local-server";
import { type Watch, watchService } from "./watch.ts";

/** Probes that wait for their answer. */
let probes: ServerResponse[];
let arrived: number;
let watch: Watch;
const server = () =>
  createServer((_, response) => {
    arrived += 1;
    probes.push(response);
  });
let open: ReturnType<typeof server>;

beforeEach(async () => {
  [probes, arrived] = [[], 0];
  open = server();
  watch = watchService({ url: `http://127.0.0.1:${await listenLocally(open)}`, pid: process.pid });
});
afterEach(async () => {
  await watch.stop();
  open.closeAllConnections();
  open.close();
});

const untilArrived = (count: number) =>
  expect.poll(() => arrived, { timeout: 30_000, interval: 5 }).toBe(count);
const answer = (status: number): void => void probes.shift()?.writeHead(status).end();

it("answers a look after a probe that began after it, and every look at that time", async () => {
  await untilArrived(1);
  let answered = 0;
  const looks = [1, 2, 3].map(async () => {
    const seen = await watch.look();
    answered += 1;
    return seen;
  });
  answer(200);
  await untilArrived(2);
  expect(answered).toBe(0);
  answer(500);
  expect((await Promise.all(looks)).map(({ failed }) => failed)).toStrictEqual([1, 1, 1]);
  expect(watch.total()).toMatchObject({ probes: 2, failed: 1 });
});
