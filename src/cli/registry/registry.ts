import { openLocalRegistry } from "#app/local-registry";
import { CommandError, printListing, say, UsageError } from "../command.ts";
import type { Work } from "../kit/action.ts";
import { withTenant } from "../kit/store/with-tenant.ts";
import { environmentOf } from "./place.ts";
import type { registry } from "./registry.command.ts";

type Topics = (typeof registry)["topics"];

export const list: Work<Topics["list"]> = ({ tenant: name, json }) =>
  withTenant(name, async ({ store, tenant }) => {
    const counts = await store.countRegistryPersons(tenant.id);
    const rows = counts.map(({ environment, country, persons, photos }) => [
      environment,
      country,
      String(persons),
      String(photos),
    ]);
    const names = ["environment", "country", "persons", "photos"];
    printListing(names, rows, { isJson: json, empty: "No person is in a local registry." });
    return 0;
  });

export const remove: Work<Topics["remove"]> = async ({ country, number, all, confirm, ...values }) => {
  const environment = environmentOf(values);
  if ((number === undefined) !== all) throw new UsageError("Name the persons: --number NUMBER or --all");
  if (all && confirm?.toUpperCase() !== country) {
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
