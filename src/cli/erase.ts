import { readConfig } from "../config.ts";
import { eraseTenant, openStore } from "../open-storage.ts";
import { type Command, CommandError, opening, parseOptions, print, say } from "./command.ts";
import { findDeployment } from "./first-start.ts";
import { findTenant } from "./tenant.ts";

export const erase: Command = {
  summary: "make what is stored of a tenant's persons unreadable for ever",
  help: `Usage: idem erase --tenant NAME --confirm NAME

Destroys the data keys of a tenant: no picture, record or template that was sealed for it until now can be opened again,
by nobody; its registered users are removed. Prints the id of each destroyed key; the tenant's evidence keeps a receipt
of each. A validation that is still open ends FAILED. The tenant, its API keys and its transactions, which hold nothing
of a person, stay, and what it sends from now on is sealed under a new key. A backup of the store that holds the wrapped
keys must be destroyed too; on PostgreSQL also archived WAL, and replicas that have not caught up.

  --tenant    name of the tenant; needed when there are several
  --confirm   the tenant's name again: this cannot be taken back

On the embedded store, stop the service first: one process owns the data directory. On PostgreSQL running services
forget the keys within two seconds; what they seal until then is lost with them.`,
  run: async (args) => {
    const { values } = parseOptions(args, { tenant: { type: "string" }, confirm: { type: "string" } });
    const config = await findDeployment(readConfig());
    const { store, close } = await opening(openStore(config));
    try {
      const tenant = await findTenant(store, values.tenant);
      if (values.confirm !== tenant.name) {
        throw new CommandError(`Nothing was erased. To erase it say: --confirm "${tenant.name}"`);
      }
      const destroyed = await eraseTenant(store, tenant.id);
      destroyed.forEach(print);
      say(
        `Destroyed ${destroyed.length} data ${destroyed.length === 1 ? "key" : "keys"} of tenant "${tenant.name}".`,
      );
      return 0;
    } finally {
      await close();
    }
  },
};
