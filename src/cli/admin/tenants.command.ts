import { isIsoCountry } from "#contract/country";
import { UsageError } from "../command.ts";
import type { Words } from "../kit/action.ts";
import { jsonOption } from "../kit/options.ts";

/** Undefined for the word `none`. */
const readCountry = (text: string): string | undefined => {
  if (text === "none") return undefined;
  if (!isIsoCountry(text)) {
    throw new UsageError(
      `"${text}" is no country. Set --default-country to its three capital letters (ISO 3166-1 alpha-3), or to none`,
    );
  }
  return text;
};

export const tenants = {
  help: `Usage: idem tenants list [--json]
       idem tenants set NAME --default-country CHL|none

list   prints the tenants: name, default country, created
set    sets the country of documents for calls of the tenant that name none (ISO 3166-1 alpha-3). none: that of the
       deployment again (IDEM_DEFAULT_COUNTRY). A running service uses the new country at its next call

Both work while the service runs.`,
  topics: {
    list: { options: { json: jsonOption } },
    set: {
      options: {
        "default-country": {
          type: "string",
          needed: "Name the country: --default-country CHL, or none",
          read: readCountry,
        },
      },
      takes: "Name the tenant: idem tenants set NAME --default-country CHL",
    },
  },
} as const satisfies Words;
