import { randomBytes } from "node:crypto";
import path from "node:path";
import { makeDiskObjects } from "#storage/disk-objects";
import { makeKeyring } from "#storage/keyring";
import { masterKeyOf } from "#storage/master-key";
import { makeBlobs } from "#storage/sealed-blobs";
import { openOperations } from "#tracking/testing/open-operations";
import { makeRecordCall } from "#transactions/record-call";
import { makeRecordingStore } from "../recording-store.ts";
import { openStoreHere } from "./store-here.ts";

/** The store of a service in an empty folder, with a master key of its own and the operations of its calls. */
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
