import { optionLines, type Words } from "../kit/action.ts";
import { tenantOption } from "../kit/options.ts";

const options = {
  tenant: tenantOption,
  confirm: { type: "string", says: "the tenant's name again: this cannot be undone" },
} as const;

export const erase = {
  help: `Usage: idem erase --tenant NAME --confirm NAME

Destroys the data keys of a tenant. No image, record, template or measurement of a face sealed for it until now can be
opened again. Removes its registered users, the persons of its local civil registries, its clearing credentials and blocked documents,
the answers kept for retries, the bodies of its evidence, and measurements that an
earlier release stored unsealed. Prints the id of each destroyed key; the tenant's evidence keeps a receipt of each, and of the removed bodies.
The chain stays verifiable. A validation that is still open ends FAILED. The tenant, its API keys and its transactions
stay, with results and random ids alone. After an interruption, or where the command names rows that are left, run it again; a running service finishes what
follows the keys. New data of the tenant is sealed under a new key. Destroy every backup of the store that holds the
wrapped keys too; on PostgreSQL also archived WAL, and replicas that have not caught up.

${optionLines(options)}

It works while the service runs, which forgets the keys at once on the embedded store, and on PostgreSQL within two
seconds; data that is sealed until then is lost too.`,
  options,
} as const satisfies Words;
