import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { expect, it } from "vitest";
import { openSqliteStore } from "#app/store";
import { migrations } from "#app/tables";
import { describeFormerStore, type EmptyDatabase, writeFormer } from "#support/storage/former-store";
import { planSqlite } from "./plan-migrations.ts";
import { sqliteDialect } from "./sql-dialect.ts";

const makeDatabase = async (): Promise<EmptyDatabase> => {
  const folder = await mkdtemp(join(tmpdir(), "idem-former-"));
  const path = join(folder, "idem.sqlite");
  return {
    run: async (statement) => {
      const sqlite = new Database(path, { timeout: 5000 });
      try {
        sqlite.exec(statement);
      } finally {
        sqlite.close();
      }
    },
    open: () => openSqliteStore({ path }),
    remove: () => rm(folder, { recursive: true }),
  };
};

it("the plan names the migrations of an earlier store in their order, and changes nothing", async () => {
  const folder = await mkdtemp(join(tmpdir(), "idem-plan-"));
  const path = join(folder, "idem.sqlite");
  const run = async (statement: string): Promise<void> => {
    const sqlite = new Database(path);
    sqlite.exec(statement);
    sqlite.close();
  };
  const all = await planSqlite(path, migrations);
  expect(all.map(({ version }) => version)).toStrictEqual(migrations.map(({ version }) => version));
  await writeFormer(
    { run, open: () => openSqliteStore({ path }), remove: async () => undefined },
    sqliteDialect,
  );
  const planned = await planSqlite(path, migrations);
  expect(planned[0]?.version).toBe(11);
  expect(planned).toHaveLength(all.length - 10);
  expect(await planSqlite(path, migrations)).toStrictEqual(planned);
  await (await openSqliteStore({ path })).close();
  expect(await planSqlite(path, migrations)).toStrictEqual([]);
  await run("insert into migrations (version, name, applied_at) values (9999, 'later', 0)");
  await expect(planSqlite(path, migrations)).rejects.toThrow("Start a newer program");
  await rm(folder, { recursive: true });
});

describeFormerStore("SQLite", sqliteDialect, makeDatabase);
