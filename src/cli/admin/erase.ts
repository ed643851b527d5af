import { eraseTenant } from "#app/storage";
import { readConfig } from "#machine/config/config";
import { parseOptions, print, type Run, say, UsageError } from "../command.ts";
import { openCommandStore } from "../reach-store.ts";
import { findDeployment } from "../serve/first-start.ts";
import { wayOut } from "../way-out.ts";
import { findTenant } from "./tenant.ts";

export const runErase: Run = async (args) => {
  const { values } = parseOptions(args, { tenant: { type: "string" }, confirm: { type: "string" } });
  const config = await findDeployment(readConfig());
  const { store, close } = await openCommandStore(config, wayOut.stop);
  try {
    const tenant = await findTenant(store, values.tenant);
    if (values.confirm !== tenant.name) {
      throw new UsageError(`Nothing was erased. To erase it, add: --confirm "${tenant.name}"`);
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
};
