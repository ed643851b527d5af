import type { Command } from "../command.ts";

export const tenants: Command = {
  help: `Usage: idem tenants list [--json]
       idem tenants set NAME --default-country CHL|none

list   prints the tenants: name, default country, created
set    sets the country of documents for calls of the tenant that name none (ISO 3166-1 alpha-3). none: that of the
       deployment again (IDEM_DEFAULT_COUNTRY). A running service uses the new country at its next call

Both work while the service runs.`,
  run: async (args) => (await import("./tenants.ts")).runTenants(args),
};
