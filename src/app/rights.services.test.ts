import { randomBytes, randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { hashApiKey, makeApiKey } from "#contract/api-key";
import { readConfig } from "#machine/config/config";
import { createDatabase, queryPostgres } from "#support/storage/postgres-database";
import { openKeyAdmin } from "./keys.ts";
import { listRightsFaults } from "./rights-watch.ts";
import { openStore } from "./storage.ts";

it("a key that is added to PostgreSQL past the service opens nothing and is named", async () => {
  const database = await createDatabase();
  const config = readConfig({
    IDEM_DATABASE_URL: database.url,
    IDEM_MASTER_KEY: randomBytes(32).toString("base64"),
  });
  const { store, close } = await openStore(config, { migrate: true });
  const tenantId = randomUUID();
  await store.createTenant({ id: tenantId, name: "bank", createdAt: new Date() });
  const [own, forged] = [makeApiKey("live"), makeApiKey("live")];
  await openKeyAdmin(store).createApiKey({
    id: randomUUID(),
    tenantId,
    hash: hashApiKey(own),
    name: "own",
    environment: "live",
    scopes: ["face"],
    createdAt: new Date(),
  });
  await queryPostgres(
    database.url,
    `insert into api_keys (tenant_id, id, hash, name, environment, scopes, created_at)
      values ('${tenantId}', 'forged', '${hashApiKey(forged)}', 'forged', 'live', '["face","token","key"]', 5)`,
  );
  expect((await store.findApiKey(hashApiKey(own)))?.scopes).toEqual(["face"]);
  await expect(store.findApiKey(hashApiKey(forged))).rejects.toMatchObject({ code: "stored_damaged" });
  const faults: string[] = [];
  for await (const { place, fault } of listRightsFaults(store)) faults.push(`${place}: ${fault}`);
  expect(faults).toEqual([
    `api_keys ${tenantId} forged: was added past the service: it has no seal`,
    `api_keys ${tenantId} forged: has no entry: no command made it`,
  ]);
  await close();
  // Two processes that start at once on rows without a seal hold one key.
  await queryPostgres(database.url, "delete from secrets where name = 'rights'");
  await queryPostgres(database.url, "update api_keys set seal = null");
  await queryPostgres(database.url, "update tenants set seal = null");
  await queryPostgres(database.url, "delete from evidence_heads");
  const [one, two] = await Promise.all([openStore(config), openStore(config)]);
  expect((await one.store.findApiKey(hashApiKey(own)))?.scopes).toEqual(["face"]);
  expect((await two.store.findApiKey(hashApiKey(own)))?.scopes).toEqual(["face"]);
  await Promise.all([one.close(), two.close()]);
  await database.remove();
});
