/** The check of a store that an earlier release wrote, before its migration. */
import type { DatabaseCheck } from "#machine/storage/database-check";
import type { PlannedMigration } from "#machine/storage/plan-migrations";
import { migrations } from "../tables.ts";
import { checkDatabase } from "./check-database.ts";
import type { Repairs } from "./repairs.ts";
import type { StoreCheck } from "./store-check.ts";

/**
 * The check of a store of an earlier release; undefined where no migration is due. This program has no
 * commands for the former tables, so the database alone is checked: that is a remark and no fault. A store
 * without any migration is no store of a release, and so its reading names what is wrong.
 */
export const earlierReleaseCheck = async (
  plan: Promise<readonly PlannedMigration[]>,
  database: DatabaseCheck,
  repairs: Repairs,
): Promise<readonly StoreCheck[] | undefined> => {
  const due = await plan.then(
    (pending) => pending.length,
    // A newer or unreadable store: its opening names the cause.
    () => 0,
  );
  if (due === 0 || due === migrations.length) return undefined;
  const { part, run } = checkDatabase(database, repairs);
  return [
    {
      part,
      run: async (sink) => {
        sink.remark(earlierWords(due));
        await run(sink);
      },
    },
  ];
};

const earlierWords = (due: number): string =>
  `The store is of an earlier release: ${due} migrations have not run. The database alone was checked; sealed rows, evidence and objects were not. Upgrade, then run idem store verify.`;
