import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import Database from "better-sqlite3";
import { afterAll, beforeAll, expect, it } from "vitest";
import { hashApiKey, makeApiKey } from "#contract/api-key";
import { makeFirstTenant } from "./harness/first-tenant.ts";
import { runIdem } from "./harness/run-idem.ts";
import { type Harness, makeHarness, type Run } from "./harness/service.ts";
import { countRows } from "./harness/store-rows.ts";

let harness: Harness;
const idem = (...args: readonly string[]): Promise<Run> => runIdem(args, { IDEM_DATA: harness.directory });

beforeAll(async () => {
  harness = await makeHarness();
});
afterAll(() => harness.clear());

it("a key that was added to a stopped service opens nothing, and each command names it", async () => {
  const own = await makeFirstTenant({ IDEM_DATA: harness.directory });
  const ownRows = "select count(*) n from api_keys where hash = ?";
  expect(countRows(harness.directory, ownRows, hashApiKey(own))).toBe(1);
  const kept = await idem("keys", "create", "--scopes", "tracking", "--name", "kept");
  expect(kept, kept.stderr).toMatchObject({ code: 0 });
  const call = async (url: string, key: string): Promise<number> =>
    (await fetch(`${url}/operator/operations`, { headers: { "x-api-key": key } })).status;
  const whole = await idem("evidence", "verify");
  expect(whole, whole.stdout).toMatchObject({ code: 0 });

  const forged = makeApiKey("live");
  const sqlite = new Database(join(harness.directory, "idem.sqlite"));
  sqlite
    .prepare(
      `insert into api_keys (tenant_id, id, hash, name, environment, scopes, created_at)
        select tenant_id, 'forged', ?, 'forged', 'live', scopes, created_at from api_keys where name <> 'kept'`,
    )
    .run(hashApiKey(forged));
  // An own key with more than it was made with.
  sqlite.prepare("update api_keys set environment = 'live' where name not in ('forged', 'kept')").run();
  sqlite.close();

  const service = await harness.start();
  expect(await call(service.url, kept.stdout.trim())).toBe(200);
  expect(await call(service.url, forged)).toBe(401);
  expect(await call(service.url, own)).toBe(401);
  // Of each key: its seal, and its entry. The first comparison comes soon after the start.
  const metrics = async (): Promise<string> => await (await fetch(`${service.url}/metrics`)).text();
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
  await service.stop();
});
