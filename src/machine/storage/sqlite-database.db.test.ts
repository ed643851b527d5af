import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { expect, it, vi } from "vitest";
import { openSqliteConnection } from "./sqlite-database.ts";

it("keeps the recently used statements, not every text that was ever prepared", async () => {
  const { sqlite, db } = openSqliteConnection(":memory:");
  const prepare = vi.spyOn(sqlite, "prepare");
  const run = (number: number) => sql.raw(`select ${number}`).execute(db);
  for (let number = 0; number < 300; number += 1) {
    await run(number);
    await run(0);
  }
  expect(prepare).toHaveBeenCalledTimes(300);
  await run(299);
  expect(prepare).toHaveBeenCalledTimes(300);
  await run(1);
  expect(prepare).toHaveBeenCalledTimes(301);
  await db.destroy();
});

it("commits to the disk, erases what it removes, keeps rules in every write and runs nothing of a tampered file", async () => {
  const folder = await mkdtemp(join(tmpdir(), "idem-pragmas-"));
  const { sqlite, db } = openSqliteConnection(join(folder, "idem.sqlite"));
  const valueOf = (name: string) => sqlite.pragma(name, { simple: true });
  expect({
    journal_mode: valueOf("journal_mode"),
    synchronous: valueOf("synchronous"),
    foreign_keys: valueOf("foreign_keys"),
    recursive_triggers: valueOf("recursive_triggers"),
    secure_delete: valueOf("secure_delete"),
    trusted_schema: valueOf("trusted_schema"),
    busy_timeout: valueOf("busy_timeout"),
  }).toEqual({
    journal_mode: "wal",
    // 2 is FULL (SQLite, PRAGMA synchronous): a commit is on the disk when it returns.
    synchronous: 2,
    foreign_keys: 1,
    recursive_triggers: 1,
    secure_delete: 1,
    trusted_schema: 0,
    busy_timeout: 5000,
  });
  await db.destroy();
  await rm(folder, { recursive: true });
});
