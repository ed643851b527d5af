import { openLocalRegistry } from "#app/local-registry";
import {
  CommandError,
  jsonOption,
  parseOptions,
  printListing,
  type Run,
  say,
  UsageError,
} from "../command.ts";
import { parseCountry, parseEnvironment, placeOptions, withTenant } from "./place.ts";

export const runListRegistry: Run = async (args) => {
  const { values } = parseOptions(args, { tenant: { type: "string" }, ...jsonOption });
  return await withTenant(values.tenant, async ({ store, tenant }) => {
    const counts = await store.countRegistryPersons(tenant.id);
    const rows = counts.map(({ environment, country, persons, photos }) => [
      environment,
      country,
      String(persons),
      String(photos),
    ]);
    const names = ["environment", "country", "persons", "photos"];
    printListing(names, rows, { isJson: values.json, empty: "No person is in a local registry." });
    return 0;
  });
};

export const runRemoveRegistry: Run = async (args) => {
  const { values } = parseOptions(args, {
    ...placeOptions,
    number: { type: "string" },
    all: { type: "boolean", default: false },
    confirm: { type: "string" },
  });
  const { number, all } = values;
  const [country, environment] = [parseCountry(values.country), parseEnvironment(values)];
  if ((number === undefined) !== all) throw new UsageError("Name the persons: --number NUMBER or --all");
  if (all && values.confirm?.toUpperCase() !== country) {
    throw new UsageError(`Nothing was removed. To remove them all, add: --confirm ${country}`);
  }
  return await withTenant(values.tenant, async ({ tenant, config, ...storage }) => {
    const admin = openLocalRegistry(storage, config, { tenantId: tenant.id, environment, country });
    if (number === undefined) {
      say(`Removed ${await admin.removeAll()} persons.`);
      return 0;
    }
    const isRemoved = await admin.remove(number);
    if (isRemoved === undefined) throw new CommandError(`The number is none of ${country}.`);
    if (!isRemoved) throw new CommandError("No person with this number is in the registry.");
    say("Removed the person.");
    return 0;
  });
};
