import { randomBytes, randomUUID } from "node:crypto";
import { readdir, readFile, stat } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeClient } from "#cli/kit/service/client";
import type { ServiceProcess } from "#cli/kit/service/service-process";
import { linkIn } from "./harness/assets.ts";
import { makeFirstTenant } from "./harness/first-tenant.ts";
import { persons, toBase64 } from "./harness/images.ts";
import { runIdem } from "./harness/run-idem.ts";
import { type Harness, makeHarness, type Run } from "./harness/service.ts";

const [former, current] = [1, 2].map(() => randomBytes(32).toString("base64"));
const settings = { IDEM_MASTER_KEY: current!, IDEM_MASTER_KEY_PREVIOUS: former! };
/** A wrong answer of a call is none of a key: this call needs no network. */
const path = "/operator/operations";
const keyCacheMs = 3_000;

/** Its image was stored under the former master key. */
const operationId = randomUUID();
let harness: Harness;
let service: ServiceProcess;
const idem = (...args: readonly string[]): Promise<Run> =>
  runIdem(args, { ...settings, IDEM_DATA: harness.directory });

beforeAll(async () => {
  harness = await makeHarness();
  // The data keys are made under the former master key.
  const before = { IDEM_DATA: harness.directory, IDEM_MASTER_KEY: former! };
  await makeFirstTenant(before);
  const receiver = ["--name", "receiver", "--url", "https://receiver.example", "--topics", "*"];
  const added = await runIdem(["webhooks", "add", ...receiver], before);
  expect(added, added.stderr).toMatchObject({ code: 0 });
  const first = await harness.start({ IDEM_MASTER_KEY: former! });
  const body = { imageBuffer: toBase64(persons.selfie), tracking: { operationId } };
  const client = makeClient(first.url, first.apiKey);
  expect((await client.post("/services/evaluatePassiveLiveness", body)).status).toBe(200);
  await first.stop();
  service = await harness.start(settings);
});
afterAll(() => harness.clear());

const call = async (key: string): Promise<number> =>
  (await fetch(`${service.url}${path}`, { headers: { "x-api-key": key } })).status;

/** Calls with the key that `keyOf` gives, until the signal aborts. The statuses, each with its count. */
const load = (keyOf: () => string, ending: AbortSignal) => {
  const statuses: Record<number, number> = {};
  const run = async (): Promise<void> => {
    while (!ending.aborted) {
      const status = await call(keyOf());
      statuses[status] = (statuses[status] ?? 0) + 1;
      await sleep(20);
    }
  };
  return { statuses, ended: run() };
};

const untilStatus = async (key: string, wanted: number): Promise<void> => {
  while ((await call(key)) !== wanted) await sleep(100);
};

describe("while the service runs", () => {
  it("a key is made, renewed with an overlap and revoked, and no call of a valid key fails", async () => {
    const made = await idem("keys", "create", "--scopes", "tracking", "--name", "console");
    expect(made, made.stderr).toMatchObject({ code: 0 });
    let key = made.stdout.trim();
    expect(await call(key)).toBe(200);
    const ending = new AbortController();
    const { statuses, ended } = load(() => key, ending.signal);

    const id = /Key (\S+)/.exec(made.stderr)?.[1] ?? "";
    const renewed = await idem("keys", "renew", id, "--overlap", "1");
    expect(renewed, renewed.stderr).toMatchObject({ code: 0 });
    const old = key;
    expect(await call(old), "the former key in its overlap").toBe(200);
    key = renewed.stdout.trim();
    expect(key).not.toBe(old);
    expect(await call(key)).toBe(200);
    const listed = await idem("keys", "list");
    expect(listed.stdout.match(/console +test .*active/g)).toHaveLength(2);

    expect(await idem("keys", "revoke", id)).toMatchObject({ code: 0 });
    await sleep(keyCacheMs);
    await untilStatus(old, 401);
    expect(await call(key)).toBe(200);
    const again = await idem("keys", "renew", id);
    expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining("no active key") });

    const file = join(harness.directory, "chain.jsonl");
    expect(await idem("evidence", "export", "--out", file)).toMatchObject({ code: 0 });
    const kinds = [...(await readFile(file, "utf8")).matchAll(/"kind":"(api_key_\w+)"/g)].map(
      ([, kind]) => kind,
    );
    // The first one is the key of the first start.
    const creations = ["api_key_created", "api_key_created", "api_key_created"];
    expect(kinds).toEqual([...creations, "api_key_ended", "api_key_revoked"]);

    const rotated = await idem("keys", "rotate");
    expect(rotated, rotated.stderr).toMatchObject({ code: 0 });
    expect(rotated.stderr).toMatch(/[1-9]\d* data keys? w\w+ wrapped anew/);
    const shown = await makeClient(service.url, key).get(`${path}/${operationId}`);
    const image = await (await fetch(linkIn(shown.body))).arrayBuffer();
    expect(Buffer.from(persons.selfie).equals(Buffer.from(image))).toBe(true);
    ending.abort();
    await ended;
    expect(Object.keys(statuses)).toStrictEqual(["200"]);
    expect(statuses[200]).toBeGreaterThan(20);
  });

  it("a key renewed without an overlap ends at once", async () => {
    const made = await idem("keys", "create", "--scopes", "tracking", "--name", "short");
    const renewed = await idem("keys", "renew", /Key (\S+)/.exec(made.stderr)?.[1] ?? "", "--overlap", "0");
    expect(renewed, renewed.stderr).toMatchObject({ code: 0 });
    expect(await call(made.stdout.trim())).toBe(401);
    expect(await call(renewed.stdout.trim())).toBe(200);
  });

  it("a tenant is made with its first key, and gets a default country", async () => {
    const made = await idem("keys", "create", "--tenant", "Second", "--scopes", "face");
    expect(made, made.stderr).toMatchObject({ code: 0 });
    expect(await idem("tenants", "set", "Second", "--default-country", "PER")).toMatchObject({ code: 0 });
    expect((await idem("tenants", "list")).stdout).toMatch(/Second +PER/);
  });

  it("the master key of another deployment rotates nothing", async () => {
    const other = { IDEM_DATA: harness.directory, IDEM_MASTER_KEY: randomBytes(32).toString("base64") };
    const refused = await runIdem(["keys", "rotate"], other);
    expect(refused).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("The service has the master key"),
    });
  });

  it.each(["8761", "a day"])("an overlap of %s is refused", async (overlap) => {
    expect(await idem("keys", "renew", "x", `--overlap=${overlap}`)).toMatchObject({ code: 2 });
  });
});

describe("the socket of the service", () => {
  const socket = (): string => join(harness.directory, "admin.sock");

  /** The answer to a text; empty where the service closes the connection without one. */
  const send = async (text: string): Promise<string> => {
    const { promise, resolve } = Promise.withResolvers<string>();
    const connection = connect(socket());
    let answer = "";
    connection.on("data", (part) => {
      answer += part.toString();
    });
    connection.on("error", () => undefined);
    connection.once("close", () => resolve(answer));
    connection.write(text);
    return await promise;
  };

  it("is for its owner alone", async () => {
    expect((await stat(socket())).mode & 0o777).toBe(0o600);
    expect((await stat(harness.directory)).mode & 0o777).toBe(0o700);
  });

  it.each([
    ["no JSON", "x\n"],
    ["an unknown command", '{"ask":"destroyKey"}\n'],
    ["a key without its hash", '{"ask":"createApiKey","key":{"id":"a"}}\n'],
    ["the name of a member of every object", '{"ask":"constructor"}\n'],
  ])("refuses %s with a sentence", async (_, text) => {
    expect(await send(text)).toContain("does not understand");
  });

  it("takes a line of 64 KiB, and closes a connection that sends a longer one", async () => {
    const line = (length: number): string => `${" ".repeat(length - 1)}\n`;
    expect(await send(line(64 * 1024))).toContain("does not understand");
    expect(await send(line(64 * 1024 + 1))).toBe("");
    expect(await call(service.apiKey)).toBe(200);
  });

  it("is gone when the service ends, and takes the place of one that a killed service left", async () => {
    service.kill("SIGKILL");
    await service.ended;
    expect(await readdir(harness.directory)).toContain("admin.sock");
    const direct = await idem("tenants", "list");
    expect(direct, direct.stderr).toMatchObject({ code: 0 });
    service = await harness.start({ IDEM_MASTER_KEY: current! });
    expect(await idem("tenants", "list")).toMatchObject({ code: 0 });
    await service.stop();
    expect(await readdir(harness.directory)).not.toContain("admin.sock");
  });
});
