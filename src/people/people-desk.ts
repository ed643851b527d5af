import type { Caller } from "#contract/endpoint";
import type { Keyring } from "#storage/blobs";
import type { Person } from "#storage/person";
import type { Store } from "#storage/store";
import { evidenceOf, pseudonymOf } from "./service.ts";

type Desk = {
  readonly store: Pick<Store, "findPerson" | "enablePerson">;
  readonly keyring: Pick<Keyring, "pseudonym">;
  readonly clock: () => Date;
  readonly newId: () => string;
};

/** What an operator may know of a user, and the one thing that only an operator does. */
export type PeopleDesk = {
  readonly find: (caller: Pick<Caller, "tenantId" | "world">, userId: string) => Promise<Person | undefined>;
  /** Ends pause and disabling and forgets the failures, with an entry in the evidence. False when the user is gone. */
  readonly enable: (person: Pick<Person, "tenantId" | "id">) => Promise<boolean>;
};

export const makePeopleDesk = ({ store, keyring, clock, newId }: Desk): PeopleDesk => ({
  find: async (caller, userId) =>
    await store.findPerson(caller.tenantId, await pseudonymOf(keyring, caller, userId)),
  enable: async ({ tenantId, id }) => {
    const evidence = [evidenceOf({ clock, newId }, "person_enabled", { person: id })];
    return await store.enablePerson(tenantId, id, { events: [], evidence });
  },
});
