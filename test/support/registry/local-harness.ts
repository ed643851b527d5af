import { randomBytes, randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import type { Store } from "#app/store";
import { makePersonKeys, type PersonKeys } from "#features/registry/local/person-keys";
import type { RegistryOwner } from "#features/registry/store/registry-person";
import type { Keyring } from "#machine/storage/blobs";
import { makeKeyring } from "#trust/key-ring/keyring";
import { masterKeyOf } from "#trust/key-ring/master-key";
import { openStoreHere } from "../app/store-here.ts";

export type LocalHarness = {
  readonly store: Store;
  readonly keyring: Keyring;
  /** The key ring of another process. */
  readonly makeKeyring: () => Keyring;
  readonly keys: PersonKeys;
  readonly owner: RegistryOwner;
  /** Runs SQL beside the store. */
  readonly run: (statement: string, ...values: readonly unknown[]) => void;
  /** Every byte of the database files as Latin-1. */
  readonly folder: string;
  readonly newOwner: () => Promise<RegistryOwner>;
  readonly close: () => Promise<void>;
};

/** A store in a file with a key ring and a tenant. */
export const openLocalHarness = async (): Promise<LocalHarness> => {
  const folder = await mkdtemp(join(tmpdir(), "idem-local-registry-"));
  const path = join(folder, "idem.sqlite");
  const store = await openStoreHere({ path });
  const masters = [masterKeyOf(randomBytes(32))] as const;
  const openKeyring = (): Keyring => makeKeyring({ store, masters, now: () => new Date() });
  const keyring = openKeyring();
  const newOwner = async (): Promise<RegistryOwner> => {
    const tenantId = randomUUID();
    await store.createTenant({ id: tenantId, name: tenantId, createdAt: new Date() });
    return { tenantId, environment: "test", country: "ECU" };
  };
  return {
    store,
    keyring,
    makeKeyring: openKeyring,
    keys: makePersonKeys(keyring),
    owner: await newOwner(),
    folder,
    newOwner,
    run: (statement, ...values) => {
      const database = new Database(path);
      database.prepare(statement).run(...values);
      database.close();
    },
    close: async () => {
      await store.close();
      await rm(folder, { recursive: true });
    },
  };
};
