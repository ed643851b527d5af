import type { Tenant } from "#trust/tenants/store/tenant";
import type { TenantCommands } from "#trust/tenants/store/tenant-store";
import { CommandError, suggestion } from "../../command.ts";

/** Finds the tenant by name, or the only tenant without a name. Fails with the existing names. */
export const findTenant = async (
  store: Pick<TenantCommands, "listTenants">,
  name: string | undefined,
): Promise<Tenant> => {
  const tenants = await store.listTenants();
  const found =
    name === undefined && tenants.length === 1 ? tenants[0] : tenants.find((tenant) => tenant.name === name);
  if (found === undefined) {
    const names = tenants.map((tenant) => `"${tenant.name}"`).join(", ") || "none yet";
    const fault =
      name === undefined
        ? "Name the tenant: --tenant NAME."
        : `There is no tenant "${name}".${suggestion(
            name,
            tenants.map((tenant) => tenant.name),
          )}`;
    throw new CommandError(`${fault} Tenants: ${names}.`);
  }
  return found;
};
