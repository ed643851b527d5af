import { readdir } from "node:fs/promises";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterEach, beforeEach, expect, it } from "vitest";
import { makeClient } from "../src/cli/client.ts";
import { fetchPublishedKeys } from "../src/cli/tokens.ts";
import { sealToken } from "../src/tokens/seal.ts";
import { persons, toBase64 } from "./harness/pictures.ts";
import { type House, makeHouse, runIdem } from "./harness/service.ts";

const authenticate = "/services/authenticateUser";
let house: House;

beforeEach(async () => {
  house = await makeHouse();
});
afterEach(() => house.clear());

const openHouse = async () => {
  const service = await house.start();
  const client = makeClient(service.url, service.apiKey);
  const keys = await fetchPublishedKeys(service.url);
  const attempt = async (picture: Uint8Array) =>
    await client.post(`${authenticate}/v2`, {
      userId: "user-4711",
      merchantReferenceId: "login-1",
      image: toBase64(persons.portrait),
      bestImageToken: await sealToken({ keys, kind: "best-image", payload: picture, now: new Date() }),
    });
  return { service, client, attempt };
};

const countPeople = async (): Promise<number> => {
  const file = (await readdir(house.directory)).find((name) => /^idem.*\.sqlite$/.test(name));
  const db = new Database(join(house.directory, file ?? ""), { readonly: true });
  const count = db.prepare<[], { n: number }>("select count(*) n from people").get()?.n;
  db.close();
  return Number(count);
};

it("lets the operator look a user up, enable it, and erase it with its tenant", {
  timeout: 300_000,
}, async () => {
  const environment = { IDEM_DATA: house.directory };
  const idem = (...args: readonly string[]) => runIdem(args, environment);
  const first = await openHouse();
  expect(await first.attempt(persons.selfie)).toMatchObject({
    status: 200,
    body: { serviceResultCode: 0, outcome: "approved" },
  });
  for (let n = 0; n < 5; n++) {
    const answer = await first.attempt(persons.stranger);
    expect(answer).toMatchObject({ status: 200, body: { serviceResultCode: -102, outcome: "rejected" } });
  }
  expect(await first.attempt(persons.selfie)).toMatchObject({
    status: 429,
    body: { failure: "user_paused" },
  });
  await first.service.stop();

  const shown = await idem("people", "show", "--user", "user-4711");
  expect(shown.stdout).toMatch(/test\s+(paused until \S+|enabled)\s+5\s/);
  expect((await idem("people", "show", "--user", "nobody")).code).toBe(1);
  expect((await idem("people", "show", "--user", "user-4711", "--world", "live")).code).toBe(1);
  expect((await idem("people", "show")).code).toBe(2);
  expect((await idem("people", "enable", "--user", "user-4711")).code).toBe(0);
  expect((await idem("people", "show", "--user", "user-4711")).stdout).toMatch(/test\s+enabled\s+0\s/);

  const second = await openHouse();
  expect((await second.attempt(persons.selfie)).body).toMatchObject({ serviceResultCode: 0 });
  await second.service.stop();
  expect(await countPeople()).toBe(1);
  expect((await idem("erase", "--confirm", "Test tenant")).stderr).toContain("Destroyed 2 data keys");
  expect(await countPeople()).toBe(0);
  expect((await idem("people", "show", "--user", "user-4711")).code).toBe(1);
});
