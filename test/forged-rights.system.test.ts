import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import Database from "better-sqlite3";
import { afterAll, beforeAll, expect, it } from "vitest";
import { hashApiKey, makeApiKey } from "#contract/api-key";
import { runIdem } from "./harness/run-idem.ts";
import { type Harness, makeHarness, type Run } from "./harness/service.ts";

let harness: Harness;
const idem = (...args: readonly string[]): Promise<Run> => runIdem(args, { IDEM_DATA: harness.directory });

beforeAll(async () => {
  harness = await makeHarness();
});
afterAll(() => harness.clear());

it("a key that was added to a stopped service opens nothing, and each command names it", {
  timeout: 900_000,
}, async () => {
  const first = await harness.start();
  const call = async (url: string, key: string): Promise<number> =>
    (await fetch(`${url}/operator/operations`, { headers: { "x-api-key": key } })).status;
  expect(await call(first.url, first.apiKey)).toBe(200);
  const whole = await idem("evidence", "verify");
  expect(whole, whole.stdout).toMatchObject({ code: 0 });
  await first.stop();

  const forged = makeApiKey("live");
  const sqlite = new Database(join(harness.directory, "idem.sqlite"));
  sqlite
    .prepare(
      `insert into api_keys (tenant_id, id, hash, name, environment, scopes, created_at)
        select tenant_id, 'forged', ?, 'forged', 'live', scopes, created_at from api_keys limit 1`,
    )
    .run(hashApiKey(forged));
  // An own key with more than it was made with.
  sqlite.prepare("update api_keys set environment = 'live' where id <> 'forged'").run();
  sqlite.close();

  const second = await harness.start();
  expect(await call(second.url, forged)).toBe(401);
  expect(await call(second.url, second.apiKey)).toBe(401);
  // Of each key: its seal, and its entry. The first comparison comes soon after the start.
  const metrics = async (): Promise<string> => await (await fetch(`${second.url}/metrics`)).text();
  while (!(await metrics()).includes("idem_rights_faults{")) await sleep(200);
  expect(await metrics()).toContain('idem_rights_faults{table="api_keys"} 4');
  const listed = await idem("keys", "list");
  expect(listed.stdout).toMatch(/^forged .*forged$/m);
  expect(listed.stderr).toContain("Forged: 2");
  const verified = await idem("evidence", "verify");
  expect(verified.code).toBe(1);
  expect(verified.stdout).toMatch(/api_keys \S+ forged: was added past the service/);
  const doctor = await idem("doctor");
  expect(doctor.stdout + doctor.stderr).toContain("rows were added, changed or removed past the service");
  const rights = await idem("rights", "verify");
  expect(rights.code).toBe(1);
  const checked = await idem("store", "verify");
  expect(checked.code).toBe(1);
  expect(checked.stdout).toMatch(/rights: api_keys \S+ forged was added past the service/);
  const revoked = await idem("keys", "revoke", "forged");
  expect(revoked, revoked.stderr).toMatchObject({ code: 0 });
  expect((await idem("rights", "verify")).stdout).not.toContain("forged: was added");
  await second.stop();
});
