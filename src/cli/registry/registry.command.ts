import { optionLines, type Words } from "../kit/action.ts";
import { jsonOption, tenantOption } from "../kit/options.ts";
import { check } from "./check.command.ts";
import { importPersons } from "./import.command.ts";
import { placeOptions } from "./place.ts";

const listOptions = { tenant: tenantOption, json: jsonOption } as const;

const removeOptions = {
  ...placeOptions,
  number: { type: "string", says: "number of the person" },
  all: { type: "boolean", says: "every person of the country and environment" },
  confirm: { type: "string", says: "the country again, for --all" },
  tenant: tenantOption,
} as const;

export const registry = {
  help: `Usage: idem registry import FILE --country ECU --test|--live    persons from CSV or JSONL; has its own --help
       idem registry list                                      persons by environment and country
       idem registry remove --country ECU --test|--live        persons of the local registry; has its own --help
       idem registry check --country ECU --test|--live         asks a registry of IDEM_REGISTRIES once; has its own --help

Guide: docs/guides/integrate/civil-registries.md.`,
  topics: {
    import: importPersons,
    list: {
      help: `Usage: idem registry list [--tenant NAME] [--json]

Prints the number of persons and photos of each local registry of a tenant.

${optionLines(listOptions)}

It works while the service runs.`,
      options: listOptions,
    },
    remove: {
      help: `Usage: idem registry remove --country ECU --test|--live --number NUMBER [--tenant NAME]
       idem registry remove --country ECU --test|--live --all --confirm ECU [--tenant NAME]

Removes one person, or all persons of a local registry, with their photos. The tenant's evidence keeps an entry that names no
person. After an interruption run the command again.

${optionLines(removeOptions)}

It works while the service runs.`,
      options: removeOptions,
    },
    check,
  },
} as const satisfies Words;
