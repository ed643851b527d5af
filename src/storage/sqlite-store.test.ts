import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { describeDecisions } from "./decision-suite.ts";
import { describeFaceLists } from "./face-list-suite.ts";
import { describePeople } from "./people-suite.ts";
import { openSqliteStore } from "./sqlite-store.ts";
import { describeStore } from "./store-suite.ts";
import type { StoreHarness } from "./testing/suite.ts";

const makeHarness = async (): Promise<StoreHarness> => {
  const folder = await mkdtemp(join(tmpdir(), "idem-store-"));
  const path = join(folder, "idem.sqlite");
  return {
    open: () => openSqliteStore({ path }),
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

describeStore("the store on SQLite", makeHarness);
describePeople("the store on SQLite", makeHarness);
describeFaceLists("the store on SQLite", makeHarness);
describeDecisions("the store on SQLite", makeHarness);
