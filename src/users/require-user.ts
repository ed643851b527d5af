import type { Caller } from "#contract/endpoint";
import { Failure } from "#contract/failure";
import { pseudonymOf, refuseHeld, type UserService } from "./service.ts";

/** Whether a user can be authenticated now. Fails with user_unknown, user_paused or user_disabled. */
export type RequireUser = (caller: Pick<Caller, "tenantId" | "environment">, userId: string) => Promise<void>;

export const makeRequireUser =
  ({ keyring, store, clock }: Pick<UserService, "keyring" | "store" | "clock">): RequireUser =>
  async (caller, userId) => {
    const pseudonym = await pseudonymOf(keyring, caller, userId);
    const user = await store.findUser(caller.tenantId, pseudonym);
    if (user === undefined) throw new Failure("user_unknown");
    refuseHeld(user, clock());
  };
