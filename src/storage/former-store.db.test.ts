import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { openSqliteStore } from "#app/store";
import { sqliteDialect } from "./sql-dialect.ts";
import { describeFormerStore, type EmptyDatabase } from "./testing/former-store.ts";

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

describeFormerStore("SQLite", sqliteDialect, makeDatabase);
