import { personColumns } from "#features/registry/local/read-person";
import type { Command } from "../command.ts";

export const importRegistry: Command = {
  help: `Usage: idem registry import FILE --country ECU --test|--live [--tenant NAME] [--photos DIR] [--json]

Writes the persons of a list into the local civil registry of a country, which a tenant's calls ask where IDEM_REGISTRIES names
the connector "local". FILE is CSV (UTF-8, commas or semicolons) with a header, or JSONL where its name ends with .jsonl. The
columns, all but documentNumber optional:
  ${personColumns.slice(0, 10).join(", ")},
  ${personColumns.slice(10).join(", ")}
Dates are YYYY-MM-DD, sexes M, F or X, countries three letters. photo is a JPEG, PNG, WebP or AVIF in the folder of --photos; it is decoded,
and scaled to 720 pixels where it is larger.

A person with the same number is replaced, and one with the same content is left: after an interruption the same command
goes on. Refused rows go to stdout with their line, column and reason, never with a value. So does a row that a later one of the
same 250 replaces with other content. Exit code 1: rows were refused.

  --country  country of the registry
  --test     for test keys; --live for live keys
  --photos   folder of the photos
  --json     one JSON object for each refused row {"line", "fault", "column"}, for each replaced one {"line",
             "replacedByLine"}, and one with the counts at the end
  --tenant   name of the tenant; needed when there are several

It works while the service runs.`,
  run: async (args) => (await import("./import.ts")).runImportRegistry(args),
};
