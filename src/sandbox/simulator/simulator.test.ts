import { afterEach, expect, it } from "vitest";
import { type Simulator, startSimulator } from "./simulator.ts";

const open: Simulator[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.close()));
});

let acted = 0;

const start = async (): Promise<string> => {
  acted = 0;
  const simulator = await startSimulator({
    name: "echo",
    answer: ({ method, path, query, body }) => {
      acted++;
      return { status: 200, body: { method, path, q: query.get("q"), length: body.length } };
    },
  });
  open.push(simulator);
  return simulator.url;
};

const setFaults = async (url: string, faults: unknown): Promise<number> =>
  (await fetch(`${url}/_faults`, { method: "POST", body: JSON.stringify(faults) })).status;

const brief = (): RequestInit => ({ signal: AbortSignal.timeout(300), redirect: "manual" });

it("answers as its institution does, and counts what was asked", async () => {
  const url = await start();
  const answer = await fetch(`${url}/a%20b?q=1`, { method: "POST", body: "12345" });
  expect(await answer.json()).toEqual({ method: "POST", path: "/a b", q: "1", length: 5 });
  const counts: unknown = await (await fetch(`${url}/_asked`)).json();
  expect(counts).toEqual({ asked: 1, answered: 1, byStatus: { 200: 1 } });
});

it("a fault holds for its number of answers", async () => {
  const url = await start();
  expect(await setFaults(url, { status: 503, times: 2 })).toBe(200);
  const statuses: number[] = [];
  for (let n = 0; n < 3; n++) statuses.push((await fetch(url)).status);
  expect(statuses).toEqual([503, 503, 200]);
});

it("a fault without a number holds until it is cleared", async () => {
  const url = await start();
  await setFaults(url, { status: 500 });
  expect((await fetch(url)).status).toBe(500);
  expect((await fetch(url)).status).toBe(500);
  await setFaults(url, {});
  expect((await fetch(url)).status).toBe(200);
});

it("silence comes before the work, or after it", async () => {
  const url = await start();
  await setFaults(url, { silence: true, times: 1 });
  await expect(fetch(url, brief())).rejects.toThrow();
  expect(acted).toBe(0);
  await setFaults(url, { silenceAfterwards: true, times: 1 });
  await expect(fetch(url, brief())).rejects.toThrow();
  expect(acted).toBe(1);
});

it("sends half an answer, a page, a redirect or 50 MB", async () => {
  const url = await start();
  await setFaults(url, { malformed: true, times: 1 });
  await expect((await fetch(url)).json()).rejects.toThrow();
  await setFaults(url, { html: true, times: 1 });
  expect((await fetch(url)).headers.get("content-type")).toBe("text/html");
  await setFaults(url, { redirect: true, times: 1 });
  expect((await fetch(url, brief())).status).toBe(302);
  await setFaults(url, { huge: true, times: 1 });
  expect((await (await fetch(url)).arrayBuffer()).byteLength).toBe(50 * 1024 * 1024);
});

it("waits as long as its switch states", async () => {
  const url = await start();
  await setFaults(url, { delayMs: 200, times: 1 });
  const began = performance.now();
  await fetch(url);
  expect(performance.now() - began).toBeGreaterThanOrEqual(195);
});

it.each([{ status: 200 }, { status: 600 }, { nothing: true }, { times: 0 }, "x"])(
  "refuses %j as faults",
  async (faults) => {
    expect(await setFaults(await start(), faults)).toBe(400);
  },
);

it.each([
  ["{", "body: must be object"],
  ['{"noSuch":true}', "noSuch: is no fault"],
  ['{"delayMs":"9 s"}', "delayMs: must be integer"],
  ['{"status":200}', "status: must be >= 400"],
])("refuses %s with the wrong member and the names of all faults", async (body, fault) => {
  const answer = await fetch(`${await start()}/_faults`, { method: "POST", body });
  const text = await answer.text();
  expect([answer.status, text]).toEqual([400, expect.stringContaining(fault)]);
  expect(text).toContain("Faults: times, delayMs, status");
});
