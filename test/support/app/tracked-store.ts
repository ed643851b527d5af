import { randomBytes } from "node:crypto";
import path from "node:path";
import { makeRecordingStore } from "#app/recording-store";
import { makeDiskObjects } from "#machine/storage/disk-objects";
import { makeBlobs } from "#machine/storage/sealed-blobs";
import { makeRecordCall } from "#record/transactions/record-call";
import { makeKeyring } from "#trust/key-ring/keyring";
import { masterKeyOf } from "#trust/key-ring/master-key";
import { openOperations } from "../operations/open-operations.ts";
import { openStoreHere } from "./store-here.ts";

/**
 * The store of a service in an empty folder, with a master key of its own and the operations of its calls.
 */
export const openTrackedStore = async (
  folder: string,
  {
    keepsImages = true,
    keepPixels,
  }: Pick<Parameters<typeof openOperations>[0], "keepsImages" | "keepPixels"> = {},
) => {
  const file = path.join(folder, "idem.sqlite");
  const sealedStore = await openStoreHere({ path: file });
  const masters = [masterKeyOf(randomBytes(32))] as const;
  const keyring = makeKeyring({ store: sealedStore, masters, now: () => new Date() });
  const store = makeRecordingStore(sealedStore, keyring);
  const blobs = makeBlobs(makeDiskObjects(folder), keyring, sealedStore);
  const operations = openOperations({ keyring, blobs, file, keepsImages, ...(keepPixels && { keepPixels }) });
  const recordCall = makeRecordCall(store, operations.tracking.trackCall);
  return { store, keyring, blobs, operations, recordCall };
};
