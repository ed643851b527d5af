import type { Store, Tenant } from "#storage/store";
import { CommandError } from "./command.ts";

/** The tenant of that name; without a name the only one. Fails with the names that there are. */
export const findTenant = async (store: Store, name: string | undefined): Promise<Tenant> => {
  const tenants = await store.listTenants();
  const found =
    name === undefined && tenants.length === 1 ? tenants[0] : tenants.find((tenant) => tenant.name === name);
  if (found === undefined) {
    const names = tenants.map((tenant) => `"${tenant.name}"`).join(", ") || "none yet";
    throw new CommandError(`Say which tenant: --tenant NAME. There are: ${names}.`);
  }
  return found;
};
