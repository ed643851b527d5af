import { isCountryCode } from "#contract/country";
import { UsageError } from "../command.ts";
import { optionLines, type Words } from "../kit/action.ts";
import { environmentOption, jsonOption, noteOption, tenantOption } from "../kit/options.ts";

const whichCountry = "Name the issuing country: --country CODE, as CHL";

const blockOptions = {
  country: {
    type: "string",
    needed: whichCountry,
    read: (text: string): string => {
      if (isCountryCode(text)) return text;
      throw new UsageError(whichCountry);
    },
    says: "issuing country, ISO 3166-1 alpha-3",
  },
  environment: { ...environmentOption, says: "environment of the entry" },
  note: noteOption,
  tenant: tenantOption,
} as const;

export const block = {
  help: `Usage: idem document block --country CODE --environment live|test [--note TEXT] [--tenant NAME] < FILE

Reads document numbers from standard input, one per line: so none appears in the process list or the shell history.
A document with such a number is declined (106). Only a keyed hash of a number is stored: it cannot be read back.
Prints the id of each entry; unblock takes it.

${optionLines(blockOptions)}

It works while the service runs.`,
  options: blockOptions,
} as const satisfies Words;

export const blocked = {
  help: `Usage: idem document blocked [--tenant NAME] [--json]

Prints the entries of a tenant: id, environment, date, state, and note. The numbers themselves are not stored. A forged entry was
added or changed past the service: unblock it, or see idem rights accept.`,
  options: { tenant: tenantOption, json: jsonOption },
} as const satisfies Words;

export const unblock = {
  help: `Usage: idem document unblock --id ID [--tenant NAME]

Removes an entry; the tenant's evidence keeps a record of it.`,
  options: {
    id: { type: "string", needed: "Name the entry: --id ID, from idem document blocked" },
    tenant: tenantOption,
  },
} as const satisfies Words;
