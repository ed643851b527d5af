import { Failure } from "#contract/failure";
import type { BlobCommands } from "./blob-store.ts";
import type { Blobs, Keyring } from "./blobs.ts";
import { faultWords, judgeObject, sha256Of } from "./judge-object.ts";
import type { ObjectName, Objects } from "./objects.ts";
import { isFileFault, type ReadObject, readObject } from "./read-object.ts";

/** Larger images are refused long before they come here. */
const blobBytesMax = 64 * 1024 * 1024;

/**
 * Blobs over any object store: each sealed under its tenant's key and bound to its own id. `rows` name them.
 */
export const makeBlobs = (
  objects: Objects,
  keyring: Keyring,
  rows: Pick<BlobCommands, "findBlob" | "listBlobs">,
): Blobs => ({
  put: async (tenantId, bytes) => {
    if (bytes.length > blobBytesMax) {
      throw new Error(`A blob of ${bytes.length} bytes is larger than ${blobBytesMax}`);
    }
    const id = crypto.randomUUID();
    const sealed = await keyring.seal(tenantId, "images", bytes, contextOf(id));
    const [sha256] = await Promise.all([sha256Of(sealed), objects.write({ tenantId, id }, sealed)]);
    return { id, bytes: bytes.length, sha256, dataKeyId: keyring.dataKeyIdOf(sealed) };
  },
  get: async (tenantId, id) => {
    const sealed = await readStated(objects, rows, { tenantId, id });
    return await keyring.open(tenantId, "images", sealed, contextOf(id));
  },
  remove: (tenantId, id) => objects.remove({ tenantId, id }),
});

/**
 * The object as its row states it. Fails with stored_damaged where it differs from the row, and with
 * not_found where there is neither. An object whose row is not committed yet has nothing to be compared with:
 * its seal alone shows a change.
 */
const readStated = async (
  objects: Pick<Objects, "read" | "list">,
  rows: Pick<BlobCommands, "findBlob" | "listBlobs">,
  name: ObjectName,
): Promise<Uint8Array> => {
  const sealed = await readOnce(objects, rows, name);
  // After the object: a removal takes the row first, so that what a row names now was there.
  const row = await rows.findBlob(name);
  const fault = row && (await judgeObject(row, sealed));
  if (fault !== undefined) {
    const cause = new Error(`The object of blob ${name.id} ${faultWords[fault]}: run idem store verify`);
    throw new Failure("stored_damaged", {}, { cause });
  }
  if (sealed instanceof Uint8Array) return sealed;
  throw new Failure(sealed === undefined ? "not_found" : "stored_damaged");
};

/**
 * A file that the system refuses for good is read no more: its call ends, and does not wait for a disk that
 * is well. What a bucket refuses stays an outage, since a later try may succeed.
 */
const readOnce = async (
  objects: Pick<Objects, "read" | "list">,
  { listBlobs }: Pick<BlobCommands, "listBlobs">,
  name: ObjectName,
): Promise<ReadObject> => {
  try {
    return await objects.read(name);
  } catch (error) {
    if (!isFileFault(error)) throw error;
    return await readObject({ objects, listBlobs }, name);
  }
};

/** The context of a blob's seal: a blob under another blob's name does not open. */
export const contextOf = (id: string): string => `blob ${id}`;

/** Number of ids in one query to the store. */
const askMax = 500;

/**
 * Removes objects without a row that are older than `before`: their call was refused or died between the
 * object and its row. `before` must leave a call the time to write its row. Objects of tenants unknown to the
 * store are left alone: they show a wrong or empty database, not orphans. Returns how many it removed.
 */
export const sweepBlobs = async (
  objects: Objects,
  store: BlobCommands & { readonly listTenants: () => Promise<readonly { readonly id: string }[]> },
  before: Date,
): Promise<number> => {
  const tenants = new Set((await store.listTenants()).map(({ id }) => id));
  const old = new Map<string, string[]>();
  let removed = 0;
  const settle = async (tenantId: string): Promise<void> => {
    const ids = old.get(tenantId) ?? [];
    old.delete(tenantId);
    const known = new Set(await store.knownBlobIds(tenantId, ids));
    for (const id of ids.filter((candidate) => !known.has(candidate))) {
      await objects.remove({ tenantId, id });
      removed += 1;
    }
  };
  try {
    for await (const { tenantId, id, writtenAt } of objects.list()) {
      if (writtenAt < before && tenants.has(tenantId)) {
        const ids = [...(old.get(tenantId) ?? []), id];
        old.set(tenantId, ids);
        await (ids.length >= askMax ? settle(tenantId) : undefined);
      }
    }
  } finally {
    // Also where a part of the objects could not be listed: it must not keep the others.
    for (const tenantId of old.keys()) {
      await settle(tenantId);
    }
  }
  return removed;
};
