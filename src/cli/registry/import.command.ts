import { personColumns } from "#features/registry/local/read-person";
import { optionLines, type Words } from "../kit/action.ts";
import { jsonOption, tenantOption } from "../kit/options.ts";
import { placeOptions } from "./place.ts";

const options = {
  ...placeOptions,
  photos: { type: "string", says: "folder of the photos" },
  json: {
    ...jsonOption,
    says: `one JSON object for each refused row {"line", "fault", "column"}, for each replaced one {"line",
"replacedByLine"}, and one with the counts at the end`,
  },
  tenant: tenantOption,
} as const;

export const importPersons = {
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

${optionLines(options)}

It works while the service runs.`,
  options,
  takes: "Name one list: idem registry import FILE",
} as const satisfies Words;
