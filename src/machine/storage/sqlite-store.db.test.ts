import { copyFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import Database from "better-sqlite3";
import { afterAll, beforeAll } from "vitest";
import { openSqliteStore } from "#app/store";
import { describeWholeStore } from "#support/app/describe-store";
import { openStoreHere } from "#support/app/store-here";
import type { StoreHarness } from "#support/storage/suite";

/** A migrated store without rows: each test copies it. */
let migrated: string;

beforeAll(async () => {
  migrated = join(await mkdtemp(join(tmpdir(), "idem-migrated-")), "idem.sqlite");
  await (await openStoreHere({ path: migrated })).close();
});
afterAll(() => rm(dirname(migrated), { recursive: true }));

const makeHarness = async (): Promise<StoreHarness> => {
  const folder = await mkdtemp(join(tmpdir(), "idem-store-"));
  const path = join(folder, "idem.sqlite");
  await copyFile(migrated, path);
  let isOpened = false;
  return {
    open: async () => {
      if (isOpened) return await openSqliteStore({ path });
      isOpened = true;
      return await openStoreHere({ path });
    },
    query: async (statement) => {
      const sqlite = new Database(path, { timeout: 5000 });
      try {
        const prepared = sqlite.prepare<unknown[], Record<string, unknown>>(statement);
        return prepared.reader ? prepared.all() : [prepared.run() && {}];
      } finally {
        sqlite.close();
      }
    },
    remove: () => rm(folder, { recursive: true }),
  };
};

describeWholeStore("the store on SQLite", makeHarness);
