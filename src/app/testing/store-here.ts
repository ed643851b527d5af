import type { StoreThread } from "#storage/sqlite-message";
import { openSqliteStoreHere } from "#storage/testing/store-here";
import type { Store } from "../store.ts";
import { commandSet } from "../store-commands.ts";

/** The first store of a file in a test, in the calling thread: see {@link openSqliteStoreHere}. */
export const openStoreHere = (start: StoreThread): Promise<Store> => openSqliteStoreHere(commandSet, start);
