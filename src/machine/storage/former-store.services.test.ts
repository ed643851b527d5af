// Needs PostgreSQL: eval "$(test/services/start-postgres.sh)".

import { setTimeout } from "node:timers/promises";
import { Client } from "pg";
import { expect, it } from "vitest";
import { openPostgresStore } from "#app/store";
import { migrations } from "#app/tables";
import { describeFormerStore, type EmptyDatabase, writeFormer } from "#support/storage/former-store";
import { createDatabase, queryPostgres } from "#support/storage/postgres-database";
import { migratePostgres } from "./postgres-store.ts";
import { postgresDialect } from "./sql-dialect.ts";

const makeDatabase = async (): Promise<EmptyDatabase & { readonly url: string }> => {
  const { url, remove } = await createDatabase();
  return {
    url,
    run: (statement) => queryPostgres(url, statement),
    open: async () => {
      await migratePostgres({ url }, migrations, new Date());
      return await openPostgresStore({ url });
    },
    remove,
  };
};

describeFormerStore("PostgreSQL", postgresDialect, makeDatabase);

/**
 * A command ends after 15 s, and a silent connection after 17 s: a migration of large tables takes longer.
 */
const longMs = 18_000;

it("a migration waits for a lock, and works, for longer than a command may take", async () => {
  const database = await makeDatabase();
  await writeFormer(database, postgresDialect);
  const client = new Client({ connectionString: database.url });
  await client.connect();
  await client.query("begin");
  await client.query("lock table transactions");
  const opening = database.open();
  await setTimeout(longMs);
  await client.query("commit");
  await client.end();
  const store = await opening;
  await expect(store.ping()).resolves.toBeUndefined();
  await store.close();
  await database.remove();
});
