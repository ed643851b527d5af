import type { Caller } from "#contract/endpoint";
import type { User } from "#features/users/store/user";
import type { UserAdmin } from "#features/users/user-admin";
import { CommandError, UsageError } from "../command.ts";

const allEnvironments = ["live", "test"] as const;

/** The environments of the option; both without it. */
export const parseEnvironments = (text: string | undefined): readonly Caller["environment"][] => {
  const environments = allEnvironments.filter((environment) => text === undefined || environment === text);
  if (environments.length === 0) {
    throw new UsageError("Set --environment to live or test");
  }
  return environments;
};

/** The users of that name in the given environments; fails where there is none. */
export const findUsers = async (
  admin: UserAdmin,
  tenantId: string,
  environments: readonly Caller["environment"][],
  userId: string,
): Promise<readonly User[]> => {
  const looked = await Promise.all(
    environments.map((environment) => admin.find({ tenantId, environment }, userId)),
  );
  const found = looked.filter((user) => user !== undefined);
  if (found.length === 0) {
    throw new CommandError("No such user is registered.");
  }
  return found;
};
