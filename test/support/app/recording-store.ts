import { randomBytes } from "node:crypto";
import { makeRecordingStore, type RecordingStore } from "#app/recording-store";
import { makeKeyring } from "#trust/key-ring/keyring";
import { masterKeyOf } from "#trust/key-ring/master-key";
import { openStoreHere } from "./store-here.ts";

/** The store of a service with a master key of its own, in a new file. */
export const openRecordingStore = async (path: string): Promise<RecordingStore> => {
  const store = await openStoreHere({ path });
  const masters = [masterKeyOf(randomBytes(32))] as const;
  return makeRecordingStore(store, makeKeyring({ store, masters, now: () => new Date() }));
};
