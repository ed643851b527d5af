import { openUserAdmin } from "#app/storage";
import type { User } from "#features/users/store/user";
import { printListing, say } from "../command.ts";
import type { Work } from "../kit/action.ts";
import { withTenant } from "../kit/store/with-tenant.ts";
import { findUsers } from "./find-users.ts";
import type { users } from "./users.command.ts";

type Topics = (typeof users)["topics"];

export const show: Work<Topics["show"]> = ({ user, tenant: name, environment, json }) =>
  withTenant(name, async ({ sealedStore, config, tenant }) => {
    const found = await findUsers(openUserAdmin(sealedStore, config), tenant.id, environment, user);
    const names = ["environment", "state", "failures", "enrolled", "template replaced", "recogniser"];
    printListing(names, found.map(rowOf), { isJson: json });
    return 0;
  });

export const enable: Work<Topics["enable"]> = ({ user, tenant: name, environment }) =>
  withTenant(name, async ({ sealedStore, config, tenant }) => {
    const admin = openUserAdmin(sealedStore, config);
    for (const found of await findUsers(admin, tenant.id, environment, user)) {
      if (await admin.enable(found)) say(`Enabled the ${found.environment} user.`);
    }
    return 0;
  });

const rowOf = (user: User): readonly string[] => [
  user.environment,
  stateOf(user),
  String(user.failures),
  user.enrolledAt.toISOString(),
  user.revision === 1 ? "never" : user.renewedAt.toISOString(),
  user.recogniser.slice(0, 12),
];

const stateOf = ({ pausedUntil, disabledAt }: User): string => {
  if (disabledAt !== undefined) {
    return `disabled ${disabledAt.toISOString()}`;
  }
  return pausedUntil !== undefined && pausedUntil > new Date()
    ? `paused until ${pausedUntil.toISOString()}`
    : "enabled";
};
