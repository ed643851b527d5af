import { openUserAdmin } from "#app/storage";
import type { User } from "#features/users/store/user";
import type { UserAdmin } from "#features/users/user-admin";
import { readConfig } from "#machine/config/config";
import { findTenant } from "../admin/tenant.ts";
import {
  jsonOption,
  parseOptions,
  printListing,
  type Run,
  say,
  UsageError,
  wrongAction,
} from "../command.ts";
import { openCommandStore } from "../reach-store.ts";
import { findDeployment } from "../serve/first-start.ts";
import { wayOut } from "../way-out.ts";
import { findUsers, parseEnvironments } from "./user-list.ts";

export const runUsers: Run = async ([verb, ...args]) => {
  if (verb !== "show" && verb !== "enable") {
    throw wrongAction("users", verb, ["show", "enable", "import", "block", "blocked", "unblock"]);
  }
  const { values } = parseOptions(args, {
    user: { type: "string" },
    tenant: { type: "string" },
    environment: { type: "string" },
    ...jsonOption,
  });
  const { user } = values;
  if (user === undefined) {
    throw new UsageError("Name the user: --user ID");
  }
  const environments = parseEnvironments(values.environment);
  const config = await findDeployment(readConfig());
  const { store, close } = await openCommandStore(config, wayOut.stop);
  try {
    const tenant = await findTenant(store, values.tenant);
    const admin = openUserAdmin(store, config);
    const found = await findUsers(admin, tenant.id, environments, user);
    return verb === "show" ? show(found, values.json) : await enable(admin, found);
  } finally {
    await close();
  }
};

const stateOf = ({ pausedUntil, disabledAt }: User): string => {
  if (disabledAt !== undefined) {
    return `disabled ${disabledAt.toISOString()}`;
  }
  return pausedUntil !== undefined && pausedUntil > new Date()
    ? `paused until ${pausedUntil.toISOString()}`
    : "enabled";
};

const show = (found: readonly User[], isJson: boolean): number => {
  const names = ["environment", "state", "failures", "enrolled", "template replaced", "recogniser"];
  printListing(
    names,
    found.map((user) => [
      user.environment,
      stateOf(user),
      String(user.failures),
      user.enrolledAt.toISOString(),
      user.revision === 1 ? "never" : user.renewedAt.toISOString(),
      user.recogniser.slice(0, 12),
    ]),
    { isJson },
  );
  return 0;
};

const enable = async (admin: UserAdmin, found: readonly User[]): Promise<number> => {
  for (const user of found) {
    if (await admin.enable(user)) {
      say(`Enabled the ${user.environment} user.`);
    }
  }
  return 0;
};
