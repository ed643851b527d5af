import { openLocalRegistry } from "#app/local-registry";
import {
  type Command,
  CommandError,
  jsonOption,
  parseOptions,
  printListing,
  say,
  UsageError,
  wrongAction,
} from "../command.ts";
import { parseCountry, parseEnvironment, placeOptions, withTenant } from "./place.ts";

const actions = ["import", "list", "remove", "check"] as const;

export const registry: Command = {
  topics: {
    import: async () => (await import("./import.ts")).importRegistry,
    check: async () => (await import("./check.ts")).checkRegistry,
    list: () => Promise.resolve(listRegistry),
    remove: () => Promise.resolve(removeRegistry),
  },
  help: `Usage: idem registry import FILE --country ECU --test|--live    persons from CSV or JSONL; has its own --help
       idem registry list                                      persons by environment and country
       idem registry remove --country ECU --test|--live        persons of the local registry; has its own --help
       idem registry check --country ECU --test|--live         asks a registry of IDEM_REGISTRIES once; has its own --help

Guide: docs/guides/registry-gateway.md.`,
  run: ([verb]) => {
    throw wrongAction("registry", verb, actions);
  },
};

const listRegistry: Command = {
  help: `Usage: idem registry list [--tenant NAME] [--json]

Prints the number of persons and photos of each local registry of a tenant.

  --tenant  name of the tenant; needed when there are several

It works while the service runs.`,
  run: async (args) => {
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
  },
};

const removeRegistry: Command = {
  help: `Usage: idem registry remove --country ECU --test|--live --number NUMBER [--tenant NAME]
       idem registry remove --country ECU --test|--live --all --confirm ECU [--tenant NAME]

Removes one person, or all persons of a local registry, with their photos. The tenant's evidence keeps an entry that names no
person. After an interruption run the command again.

  --country  country of the registry
  --test     for test keys; --live for live keys
  --number   number of the person
  --all      every person of the country and environment
  --confirm  the country again, for --all
  --tenant   name of the tenant; needed when there are several

It works while the service runs.`,
  run: async (args) => {
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
  },
};
