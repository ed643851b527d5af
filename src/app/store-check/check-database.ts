import type { DatabaseCheck } from "#machine/storage/database-check";
import type { Repairs } from "./repairs.ts";
import type { StoreCheck } from "./store-check.ts";

/**
 * Checks the database itself: its structure, the indexes of each table, references, and rows of unknown
 * tenants.
 */
export const checkDatabase = (database: DatabaseCheck, repairs: Repairs): StoreCheck => ({
  part: "database",
  run: async (sink) => {
    (await database.limits()).forEach(sink.remark);
    let tables = 0;
    for await (const { place, finding } of database.faults((done, total) => {
      tables = total;
      sink.progress(done, total);
    })) {
      sink.fault({ place, fault: finding, repair: repairs.database });
    }
    sink.checked(tables);
  },
});
