import { planMigrations } from "#app/storage";
import { type Config, readConfig } from "#machine/config/config";
import { opening, parseOptions, printTable, type Run, say } from "../command.ts";
import { prepareDirectory, requireUsable } from "../kit/store/deployment.ts";
import { settleMasterKey } from "../kit/store/development-master-key.ts";
import { openCommandStore } from "../kit/store/reach-store.ts";
import { wayOut } from "../kit/store/way-out.ts";

export const runMigrate: Run = async (args) => {
  const { values } = parseOptions(args, { plan: { type: "boolean", default: false } });
  const config = readConfig();
  if (values.plan) return await printPlan(config);
  // PostgreSQL's tables need neither the directory nor a key.
  await (config.databaseUrl === undefined ? prepareDirectory(config) : requireUsable(config));
  // The start that follows holds or makes the key of the seals.
  const { store, close } = await openCommandStore(config, wayOut.plan, { migrate: true, isUnheld: true });
  try {
    if (config.databaseUrl === undefined) await settleMasterKey(config, store);
  } finally {
    await close();
  }
  say(config.databaseUrl === undefined ? "The embedded store is up to date." : "The database is up to date.");
  return 0;
};

const printPlan = async (config: Config): Promise<number> => {
  const planned = await opening(planMigrations(config));
  if (planned.length === 0) {
    say("Nothing to do: the store has every table of this release.");
    return 0;
  }
  printTable([["version", "migration"], ...planned.map(({ version, name }) => [String(version), name])]);
  say("Nothing was changed. Back up, then run idem migrate, or start the service of this release.");
  return 1;
};
