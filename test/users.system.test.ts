import { readdir } from "node:fs/promises";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterEach, beforeEach, expect, it } from "vitest";
import { fetchPublishedKeys } from "#cli/admin/tokens";
import { makeClient } from "#cli/demo/client";
import { sealToken } from "#trust/tokens/seal";
import { persons, toBase64 } from "./harness/images.ts";
import { runIdem } from "./harness/run-idem.ts";
import { type Harness, makeHarness } from "./harness/service.ts";

const authenticate = "/services/authenticateUser";
let harness: Harness;

beforeEach(async () => {
  harness = await makeHarness();
});
afterEach(() => harness.clear());

const openHarness = async () => {
  const service = await harness.start();
  const client = makeClient(service.url, service.apiKey);
  const keys = await fetchPublishedKeys(service.url);
  const attempt = async (image: Uint8Array) =>
    await client.post(`${authenticate}/v2`, {
      userId: "user-4711",
      merchantReferenceId: "login-1",
      image: toBase64(persons.portrait),
      bestImageToken: await sealToken({ keys, kind: "best-image", payload: image, now: new Date() }),
    });
  return { service, client, attempt };
};

const countPeople = async (): Promise<number> => {
  const file = (await readdir(harness.directory)).find((name) => /^idem.*\.sqlite$/.test(name));
  const db = new Database(join(harness.directory, file ?? ""), { readonly: true });
  const count = db.prepare<[], { n: number }>("select count(*) n from users").get()?.n;
  db.close();
  return Number(count);
};

it("lets the operator show a user, enable it, and erase it with its tenant", {
  timeout: 300_000,
}, async () => {
  const environment = { IDEM_DATA: harness.directory };
  const idem = (...args: readonly string[]) => runIdem(args, environment);
  const first = await openHarness();
  expect(await first.attempt(persons.selfie)).toMatchObject({
    status: 200,
    body: { serviceResultCode: 0, outcome: "approved" },
  });
  for (let n = 0; n < 5; n++) {
    const answer = await first.attempt(persons.impostor);
    expect(answer).toMatchObject({ status: 200, body: { serviceResultCode: -102, outcome: "rejected" } });
  }
  expect(await first.attempt(persons.selfie)).toMatchObject({
    status: 429,
    body: { failure: "user_paused" },
  });
  await first.service.stop();

  const shown = await idem("users", "show", "--user", "user-4711");
  expect(shown.stdout).toMatch(/test\s+(paused until \S+|enabled)\s+5\s/);
  expect((await idem("users", "show", "--user", "nobody")).code).toBe(1);
  expect((await idem("users", "show", "--user", "user-4711", "--environment", "live")).code).toBe(1);
  expect((await idem("users", "show")).code).toBe(2);
  expect((await idem("users", "enable", "--user", "user-4711")).code).toBe(0);
  expect((await idem("users", "show", "--user", "user-4711")).stdout).toMatch(/test\s+enabled\s+0\s/);

  const second = await openHarness();
  expect((await second.attempt(persons.selfie)).body).toMatchObject({ serviceResultCode: 0 });
  await second.service.stop();
  expect(await countPeople()).toBe(1);
  expect((await idem("erase", "--confirm", "Test tenant")).stderr).toContain("Destroyed 5 data keys");
  expect(await countPeople()).toBe(0);
  expect((await idem("users", "show", "--user", "user-4711")).code).toBe(1);
});
