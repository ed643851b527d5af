import { differsFromEntries } from "#app/compare-rights";
import { beginRightsAnew, type RightsFault } from "#app/rights";
import { listRightsFaults } from "#app/rights-watch";
import { openUnheld } from "#app/storage";
import { readConfig } from "#machine/config/config";
import { isRightTable, rightTables } from "#machine/storage/rights/declared-tables";
import { CommandError, opening, print, say, UsageError } from "../command.ts";
import type { Work } from "../kit/action.ts";
import { findDeployment } from "../kit/store/deployment.ts";
import { openToRead } from "../kit/store/open-to-read.ts";
import { wayOut } from "../kit/store/way-out.ts";
import { withStore } from "../kit/store/with-tenant.ts";
import type { rights } from "./rights.command.ts";

type Topics = (typeof rights)["topics"];

/** Most faults that are printed. */
const namedMax = 1_000;

export const verify: Work<Topics["verify"]> = async ({ json }) => {
  const config = await findDeployment(readConfig());
  const { store, close } = await openToRead(config);
  const faults: RightsFault[] = [];
  let count = 0;
  try {
    for await (const fault of listRightsFaults(store, config)) {
      count += 1;
      if (count <= namedMax) faults.push(fault);
    }
  } finally {
    await close();
  }
  if (json) print(JSON.stringify({ isWhole: count === 0, faultCount: count, faults }));
  else {
    for (const { tenant, place, fault, repair } of faults) print(`${tenant}, ${place}: ${fault}. ${repair}`);
    say(count === 0 ? "Every row that gives a right is as the service wrote it." : `Faults: ${count}`);
  }
  return count === 0 ? 0 : 1;
};

export const accept: Work<Topics["accept"]> = async (_, [table = "", ...key]) => {
  if (!isRightTable(table)) {
    throw new UsageError(`Name a table and the key of its row: ${Object.keys(rightTables).join(", ")}`);
  }
  if (key.length !== rightTables[table].key.length) {
    throw new UsageError(`A row of ${table} has the key: ${rightTables[table].key.join(" ")}`);
  }
  const place = [table, ...key].join(" ");
  return await withStore(async ({ sealedStore: store }) => {
    const differs = table !== "evidence_heads" && (await differsFromEntries(store, key[0] ?? "", place));
    if (!(await store.acceptRight(table, key, new Date(), differs))) {
      throw new CommandError("There is no fault of such a row. List the faults: idem rights verify");
    }
    say(`Took ${place} as it stands, with an entry of evidence.`);
    return 0;
  });
};

export const begin: Work<Topics["begin"]> = async () => {
  const config = await findDeployment(readConfig());
  const { store, close } = await opening(openUnheld(config), wayOut.stop);
  try {
    if (!(await beginRightsAnew(store, config, new Date()))) {
      throw new CommandError("The store has the key of its seals. See single rows: idem rights verify");
    }
    say("Made a new key of the seals, and sealed all rows as they stand.");
    return 0;
  } finally {
    await close();
  }
};
