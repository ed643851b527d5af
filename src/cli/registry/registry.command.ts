import { type Command, wrongAction } from "../command.ts";

const actions = ["import", "list", "remove", "check"] as const;

export const registry: Command = {
  topics: {
    import: async () => (await import("./import.command.ts")).importRegistry,
    check: async () => (await import("./check.command.ts")).checkRegistry,
    list: () => Promise.resolve(listRegistry),
    remove: () => Promise.resolve(removeRegistry),
  },
  help: `Usage: idem registry import FILE --country ECU --test|--live    persons from CSV or JSONL; has its own --help
       idem registry list                                      persons by environment and country
       idem registry remove --country ECU --test|--live        persons of the local registry; has its own --help
       idem registry check --country ECU --test|--live         asks a registry of IDEM_REGISTRIES once; has its own --help

Guide: docs/guides/integrate/civil-registries.md.`,
  run: ([verb]) => {
    throw wrongAction("registry", verb, actions);
  },
};

const listRegistry: Command = {
  help: `Usage: idem registry list [--tenant NAME] [--json]

Prints the number of persons and photos of each local registry of a tenant.

  --tenant  name of the tenant; needed when there are several

It works while the service runs.`,
  run: async (args) => (await import("./registry.ts")).runListRegistry(args),
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
  run: async (args) => (await import("./registry.ts")).runRemoveRegistry(args),
};
