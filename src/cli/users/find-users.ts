import type { Caller } from "#contract/endpoint";
import type { User } from "#features/users/store/user";
import type { UserAdmin } from "#features/users/user-admin";
import { CommandError } from "../command.ts";
import { allEnvironments } from "../kit/options.ts";

/** The users of that name in the environment, or in both. Throws CommandError where there is none. */
export const findUsers = async (
  admin: UserAdmin,
  tenantId: string,
  environment: Caller["environment"] | undefined,
  userId: string,
): Promise<readonly User[]> => {
  const environments = environment === undefined ? allEnvironments : [environment];
  const looked = await Promise.all(
    environments.map((one) => admin.find({ tenantId, environment: one }, userId)),
  );
  const found = looked.filter((user) => user !== undefined);
  if (found.length === 0) {
    throw new CommandError("No such user is registered.");
  }
  return found;
};
