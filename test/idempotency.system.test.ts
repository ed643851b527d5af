import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { fetchPublishedKeys } from "#cli/kit/service/published-keys";
import type { ServiceProcess } from "#cli/kit/service/service-process";
import { sealToken } from "#trust/tokens/seal";
import { imaging, persons, toBase64 } from "./harness/images.ts";
import { runIdem } from "./harness/run-idem.ts";
import { type Harness, makeHarness } from "./harness/service.ts";
import { countRows, endLeases } from "./harness/store-rows.ts";

const kills = process.env["LONG_TESTS"] === "1" ? 4 : 1;
const settings = { IDEM_REQUEST_TIMEOUT_MS: "20000" };
const identity = "/onboarding/v2/identity";

let harness: Harness;
let service: ServiceProcess;

beforeAll(async () => {
  harness = await makeHarness();
  service = await harness.start(settings);
});
afterAll(() => harness.clear());

type Sent = {
  readonly status: number;
  readonly text: string;
  readonly isReplayed: boolean;
  readonly retryAfter: number;
};

const send = async (path: string, body: string, key?: string): Promise<Sent> => {
  const headers = { "content-type": "application/json", "x-api-key": service.apiKey };
  const answer = await fetch(service.url + path, {
    method: "POST",
    headers: { ...headers, ...(key !== undefined && { "idempotency-key": key }) },
    body,
  });
  return {
    status: answer.status,
    text: await answer.text(),
    isReplayed: answer.headers.get("idempotent-replayed") === "true",
    retryAfter: Number(answer.headers.get("retry-after") ?? 0),
  };
};

/** As an integrator repeats a call: after a refusal that a retry may cure, with the same key and bytes. */
const sendUntilAnswered = async (path: string, body: string, key: string): Promise<Sent> => {
  for (;;) {
    const sent = await send(path, body, key);
    if (sent.retryAfter === 0) return sent;
    await sleep(sent.retryAfter * 1000);
  }
};

const aRequest = async (): Promise<string> => {
  const keys = await fetchPublishedKeys(service.url);
  const bestImageToken = await sealToken({
    keys,
    kind: "best-image",
    payload: persons.selfie,
    now: new Date(),
  });
  return JSON.stringify({ method: "3", token1: toBase64(persons.portrait), bestImageToken });
};

const count = (sql: string): number => countRows(harness.directory, sql);

const identities = "select count(*) n from transactions where endpoint = 'identity'";

it("answers a repeated call with the bytes of the first, although its token may be used once", async () => {
  const [key, body] = [randomUUID(), await aRequest()];
  const first = await send(identity, body, key);
  expect(first).toMatchObject({ status: 200, isReplayed: false });
  expect(await send(identity, body, key)).toEqual({ ...first, isReplayed: true });
  expect(await send(identity, await aRequest(), key)).toMatchObject({
    status: 409,
    text: expect.stringContaining("idempotency_key_reused"),
  });
  const replayed = { status: 409, text: expect.stringContaining("token_replayed") };
  expect(await send(identity, body)).toMatchObject(replayed);
  const other = randomUUID();
  const refused = await send(identity, body, other);
  expect(refused).toMatchObject({ ...replayed, isReplayed: false });
  expect(await send(identity, body, other)).toEqual({ ...refused, isReplayed: true });
  const metrics = await (await fetch(`${service.url}/metrics`)).text();
  expect(metrics).toContain('idem_idempotency_calls{outcome="first"} 3');
  expect(metrics).toContain('idem_idempotency_calls{outcome="replayed"} 2');
  expect(metrics).toContain('idem_idempotency_calls{outcome="reused"} 1');
});

it("carries out one of several simultaneous calls, and all get its answer in the end", async () => {
  const before = count(identities);
  const [key, body] = [randomUUID(), await aRequest()];
  const answers = await Promise.all(Array.from({ length: 6 }, () => sendUntilAnswered(identity, body, key)));
  expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
  expect(answers.filter(({ isReplayed }) => !isReplayed)).toHaveLength(1);
  expect(answers[0]).toMatchObject({ status: 200 });
  expect(count(identities)).toBe(before + 1);
});

it("starts one validation for equal requests under one merchantIdScanReference", async () => {
  const document = await imaging.open(persons.portrait);
  const image = toBase64(await imaging.encodeJpeg(await imaging.resize(document, 640, 400), 90));
  const request = { country: "CHL", idType: "PASSPORT", documentFrontRawImage: image };
  const start = (fields: object): Promise<Sent> =>
    send("/verify/documentValidation/v2/start", JSON.stringify({ ...request, ...fields }));
  const first = await start({ merchantIdScanReference: "order-1" });
  expect(first).toMatchObject({ status: 200, isReplayed: false });
  expect(await start({ merchantIdScanReference: "order-1" })).toEqual({ ...first, isReplayed: true });
  const others = [await start({ merchantIdScanReference: "order-2" }), await start({}), await start({})];
  expect(others.map(({ status, isReplayed }) => [status, isReplayed])).toEqual([
    [200, false],
    [200, false],
    [200, false],
  ]);
  expect(count("select count(*) n from validations")).toBe(4);
});

it(`carries out a call once over ${kills} kills in the middle of it`, async () => {
  for (let kill = 0; kill < kills; kill += 1) {
    const before = count(identities);
    const [key, body] = [randomUUID(), await aRequest()];
    const cut = send(identity, body, key).catch(() => undefined);
    await sleep(Math.random() * 1_500);
    service.kill("SIGKILL");
    await service.ended;
    const seen = await cut;
    service = await harness.start(settings);
    endLeases(harness.directory, "idempotent_calls");
    const answer = await sendUntilAnswered(identity, body, key);
    expect(answer).toMatchObject({ status: 200, text: seen?.text ?? expect.any(String) });
    expect(await send(identity, body, key)).toEqual({ ...answer, isReplayed: true });
    expect(count(identities)).toBe(before + 1);
  }
});

it("keeps no answer of an erased tenant", async () => {
  expect(await service.stop()).toBe(0);
  expect(count("select count(*) n from idempotent_calls")).toBeGreaterThan(0);
  const tenant = ["--tenant", "Test tenant", "--confirm", "Test tenant"];
  const erased = await runIdem(["erase", ...tenant], { IDEM_DATA: harness.directory });
  expect([erased.code, erased.stderr]).toEqual([0, expect.stringContaining("Destroyed")]);
  expect(count("select count(*) n from idempotent_calls")).toBe(0);
});
