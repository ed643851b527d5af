import type { Store } from "#app/store";
import { commandSet } from "#app/store-commands";
import type { StoreThread } from "#machine/storage/sqlite-message";
import { openSqliteStoreHere } from "../storage/store-here.ts";

/** The first store of a file in a test, in the calling thread: see {@link openSqliteStoreHere}. */
export const openStoreHere = (start: StoreThread): Promise<Store> => openSqliteStoreHere(commandSet, start);
