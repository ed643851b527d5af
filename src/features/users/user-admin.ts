import type { Caller } from "#contract/endpoint";
import type { Keyring } from "#machine/storage/blobs";
import { stepOf } from "#record/transactions/record-call";
import { evidenceOf, pseudonymOf } from "./service.ts";
import type { User } from "./store/user.ts";
import type { UserCommands } from "./store/user-store.ts";

type Deps = {
  readonly store: Pick<UserCommands, "findUser" | "enableUser">;
  readonly keyring: Pick<Keyring, "pseudonym">;
  readonly clock: () => Date;
  readonly newId: () => string;
};

/**
 * The operator's commands for one user: find it, and end its pause or disabling. Made by
 * {@link makeUserAdmin}.
 */
export type UserAdmin = {
  readonly find: (
    caller: Pick<Caller, "tenantId" | "environment">,
    userId: string,
  ) => Promise<User | undefined>;
  /**
   * Ends pause and disabling, resets the failures and adds an entry to the evidence. Returns false if the
   * user does not exist.
   */
  readonly enable: (user: Pick<User, "tenantId" | "id">) => Promise<boolean>;
};

export const makeUserAdmin = ({ store, keyring, clock, newId }: Deps): UserAdmin => ({
  find: async (caller, userId) =>
    await store.findUser(caller.tenantId, await pseudonymOf(keyring, caller, userId)),
  enable: async ({ tenantId, id }) => {
    // Stored key: earlier releases wrote it.
    const evidence = [evidenceOf({ clock, newId }, "person_enabled", { person: id })];
    return await store.enableUser(tenantId, id, stepOf({ evidence }));
  },
});
