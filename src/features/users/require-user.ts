import type { Caller } from "#contract/endpoint";
import { Failure } from "#contract/failure";
import { pseudonymOf, refuseHeld, type UserService } from "./service.ts";
import type { User } from "./store/user.ts";

/** A registered user. Fails with user_unknown. */
export const getUser = async (
  { keyring, store }: Pick<UserService, "keyring" | "store">,
  caller: Pick<Caller, "tenantId" | "environment">,
  userId: string,
): Promise<User> => {
  const user = await store.findUser(caller.tenantId, await pseudonymOf(keyring, caller, userId));
  if (user === undefined) throw new Failure("user_unknown");
  return user;
};

/** Whether a user can be authenticated now. Fails with user_unknown, user_paused or user_disabled. */
export type RequireUser = (caller: Pick<Caller, "tenantId" | "environment">, userId: string) => Promise<void>;

export const makeRequireUser =
  ({ clock, ...service }: Pick<UserService, "keyring" | "store" | "clock">): RequireUser =>
  async (caller, userId) =>
    refuseHeld(await getUser(service, caller, userId), clock());
