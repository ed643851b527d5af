import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { readUsage } from "#cli/bench/process-usage";
import { jsonOf } from "./exchange.ts";
import { makeImageBases } from "./hostile-images.ts";
import { httpAttack } from "./http.ts";
import { findFailedValidations, makeImageAttack } from "./images.ts";
import { jsonAttack } from "./json.ts";
import { keyAttack } from "./keys.ts";
import { drip, sendRaw } from "./raw.ts";
import { type Attack, runAttack } from "./run-attack.ts";
import { readAttackSettings } from "./settings.ts";
import { startTarget, type Target } from "./target.ts";
import { tokenAttack } from "./tokens.ts";
import { type Watch, watchService } from "./watch.ts";

const settings = readAttackSettings();

/** Share of the generated cases' time. */
const shares = { images: 0.4, json: 0.25, http: 0.15, tokens: 0.1, keys: 0.1 } as const;

/**
 * Most resident memory beyond that of the ready service. Decoding two images of 50 megapixels at once takes
 * some 500 MiB; the findings that this guards against took gigabytes.
 */
const grownMiBMax = 900;

/** Together 690 MiB that never become a call; the service must refuse a good part of it. */
const unfinishedCalls = 24;
const unfinishedBytes = 30_000_000;
const unfinishedMiBMax = 450;

/** `--case` repeats one case, and nothing beside it. */
const isRepeat = settings.only !== undefined;

let target: Target;
let watch: Watch;
let readyMiB = 0;
let hasEnded = false;
/** Lines of the log and metrics with the canary. */
const leaks: string[] = [];

const start = async (): Promise<void> => {
  target = await startTarget();
  watch = watchService(target.service);
  hasEnded = false;
  void noteEnd(target);
  ({ residentMiBMax: readyMiB } = await watch.look());
};

const noteEnd = async ({ service }: Target): Promise<void> => {
  await service.ended;
  hasEnded = service === target.service;
};

const stop = async (): Promise<void> => {
  await watch.stop();
  await target.close();
};

/** The service keeps the last 2,000 lines of its log. */
const readLeaks = async (): Promise<void> => {
  const marks = [target.canary, encodeURIComponent(target.canary), target.keys.all];
  // The first start prints the key of the first tenant; these tests make it before.
  const lines = target.service.output().split("\n");
  const metrics = hasEnded ? "" : (await target.exchange({ method: "GET", path: "/metrics" })).text;
  const isLeak = (line: string): boolean => marks.some((mark) => line.includes(mark));
  leaks.push(...[...lines, ...metrics.split("\n")].filter(isLeak));
};

beforeAll(start);
afterAll(stop);

// A service that an attack has ended must not hide what the next attack finds.
beforeEach(async () => {
  if (!hasEnded) return;
  await stop();
  await start();
});
afterEach(readLeaks);

const run = async (attack: Attack) => {
  const share = Object.entries(shares).find(([kind]) => kind === attack.kind)?.[1] ?? 0;
  const seconds = share * settings.seconds.attacks;
  const started = performance.now();
  const { cpuMs: before } = await readUsage(target.service.pid);
  const { cases, failures } = await runAttack({ attack, target, watch, settings, seconds });
  const { cpuMs: after } = hasEnded ? { cpuMs: before } : await readUsage(target.service.pid);
  console.log(
    `${attack.kind}: ${cases} cases, ${failures.length} faults, seed ${settings.seed}, in ` +
      `${((performance.now() - started) / 1000).toFixed(0)} s (the service computed ${((after - before) / 1000).toFixed(0)} s)`,
  );
  expect(failures, failures.join("\n")).toEqual([]);
};

describe("hostile images", () => {
  const accepted: string[] = [];

  it("get declared answers", async () => {
    await run(makeImageAttack(await makeImageBases(), accepted));
  });

  it.skipIf(isRepeat)("that a validation accepts are decided, and never fail", async () => {
    const failed = await findFailedValidations(target, accepted);
    console.log(`${accepted.length} validations accepted a hostile image`);
    expect(failed).toEqual([]);
  });
});

describe("hostile JSON", () => {
  it("gets declared answers", () => run(jsonAttack));
});

describe("hostile HTTP", () => {
  it("gets refusals, and nothing is smuggled", () => run(httpAttack));

  it.skipIf(isRepeat)("of slow clients leaves the service to the others", async () => {
    const key = target.keys.all;
    const head = `POST /services/evaluatePassiveLiveness HTTP/1.1\r\nHost: a\r\nx-api-key: ${key}\r\n`;
    const body = `${head}Content-Type: application/json\r\nContent-Length: 900000\r\n\r\n{"imageBuffer":"`;
    // A header without an end, and a body without one.
    const drips = Array.from({ length: 200 }, (_, at) =>
      drip(target.port, Buffer.from(at % 2 === 0 ? `${head}a: b` : `${body}A`), 25),
    );
    const operation = target.operation("evaluatePassiveLiveness");
    const headers = { "content-type": "application/json", "x-api-key": key };
    const good = Buffer.from(JSON.stringify(operation.bodyExample));
    for (let calls = 0; calls < 20; calls++) {
      const received = await target.exchange({ method: "POST", path: operation.path, headers, body: good });
      expect(received.status, received.text).toBe(200);
    }
    const open = drips.filter(({ isOpen }) => isOpen()).length;
    for (const { stop: end } of drips) end();
    expect(open, "slow clients until the last call").toBe(drips.length);
  });
});

describe("unfinished bodies", () => {
  it.skipIf(isRepeat)("are refused with 503 before they fill the memory", async () => {
    const { residentMiBMax: beforeMiB } = await watch.look();
    const head =
      "POST /services/authenticateFacial HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n" +
      `x-api-key: ${target.keys.all}\r\nContent-Length: 31000000\r\n\r\n{"token1":"`;
    const pieces = [Buffer.from(head), Buffer.alloc(unfinishedBytes, "A")];
    const calls = Array.from({ length: unfinishedCalls }, () => sendRaw(target.port, pieces, 5000));
    const answers = await Promise.all(calls);
    const { residentMiBMax: afterMiB, failed } = await watch.look();
    const refused = answers.filter(({ statuses }) => statuses[0] === 503);
    console.log(
      `${refused.length} of ${unfinishedCalls} refused, ${(afterMiB - beforeMiB).toFixed(0)} MiB more`,
    );
    expect(failed).toBe(0);
    expect(refused.length).toBeGreaterThan(0);
    expect(refused.every(({ text }) => /\r\nretry-after: \d+\r\n/i.test(text))).toBe(true);
    expect(afterMiB - beforeMiB).toBeLessThan(unfinishedMiBMax);
  });
});

describe("hostile tokens", () => {
  it("are refused, and a good one is judged once", () => run(tokenAttack));
});

describe("keys", () => {
  it("open what their scope names, and nothing else does", () => run(keyAttack));
});

describe("the service under attack", () => {
  it("stays alive, responsive and within its memory", async () => {
    await watch.look();
    const { probes, failed, busyMsMax, waitMsMax, residentMiBMax } = watch.total();
    console.log(
      `${probes} probes, ${failed} failed; main thread busy for at most ${busyMsMax.toFixed(0)} ms, answer after at most ` +
        `${waitMsMax.toFixed(0)} ms; ${readyMiB.toFixed(0)} MiB when ready, at most ${residentMiBMax.toFixed(0)} MiB`,
    );
    expect(hasEnded).toBe(false);
    expect(failed).toBe(0);
    expect(residentMiBMax - readyMiB).toBeLessThan(grownMiBMax);
    const ready = await target.exchange({ method: "GET", path: "/readyz" });
    expect(jsonOf(ready)).toMatchObject({ status: "ready" });
  });

  it("writes nothing of a body, header or key to its log and its metrics", () => {
    expect(target.service.output()).toContain('"message":"call"');
    expect(leaks).toEqual([]);
  });
});
