import { eraseTenant } from "#app/storage";
import { print, say, UsageError } from "../command.ts";
import type { Work } from "../kit/action.ts";
import { withTenant } from "../kit/store/with-tenant.ts";
import type * as words from "./erase.command.ts";

export const erase: Work<typeof words.erase> = ({ tenant: name, confirm }) =>
  withTenant(name, async ({ sealedStore, tenant }) => {
    if (confirm !== tenant.name) {
      throw new UsageError(`Nothing was erased. To erase it, add: --confirm "${tenant.name}"`);
    }
    const destroyed = await eraseTenant(sealedStore, tenant.id);
    destroyed.forEach(print);
    say(
      `Destroyed ${destroyed.length} data ${destroyed.length === 1 ? "key" : "keys"} of tenant "${tenant.name}".`,
    );
    return 0;
  });
